// Rows of scopes that are not there. Looks at every node.
MATCH (n:Fact|Source|Episode|Chunk|Entity|Predicate|Tombstone|Idempotency|ContextRecord)
WITH n.scope AS scope, head([label IN labels(n) WHERE NOT label STARTS WITH 'Standing'
                              AND NOT label STARTS WITH 'Superseded']) AS kind,
     count(*) AS rows
WHERE scope IS NOT NULL AND NOT EXISTS { MATCH (s:Scope {name: scope}) }
RETURN 'rows without their scope' AS check, toString(rows) + ' of ' + kind AS what
