"""What the memory tells of itself while it works: spans and metrics for OpenTelemetry, and structured logs.

Only OpenTelemetry's API is used; which SDK takes what is told, and where it sends it, is the application's choice.
Nothing of OpenTelemetry is imported before the application has done so: until then there is nobody to tell, and every
call in this room comes to nothing. Contents, questions, names and scopes are never told (docs/observability.md).
"""
