// What: the constraint, the range indexes and the full-text indexes of context records, immutable documents of which
//       the next one of a lineage takes the place of the one before.
// Why: a record is found by its id; the last of a lineage is the end of an index; what is served as a frame is searched
//      apart from what was superseded, with the scope, the clocks and the kind of frame (`k…`) inside the index.
// servers: >=5.26

CREATE CONSTRAINT memory_record_id IF NOT EXISTS
FOR (r:ContextRecord) REQUIRE (r.scope, r.id) IS UNIQUE;

CREATE RANGE INDEX memory_record_lineage IF NOT EXISTS
FOR (r:ContextRecord) ON (r.scope, r.lineage, r.recorded_at, r.position);

CREATE RANGE INDEX memory_record_recorded IF NOT EXISTS
FOR (r:ContextRecord) ON (r.scope, r.recorded_at);

CREATE FULLTEXT INDEX memory_record_text IF NOT EXISTS
FOR (r:StandingRecord) ON EACH [r.terms, r.marks]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace', `fulltext.eventually_consistent`: false}};

CREATE FULLTEXT INDEX memory_superseded_record_text IF NOT EXISTS
FOR (r:SupersededRecord) ON EACH [r.terms, r.marks]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace', `fulltext.eventually_consistent`: false}};
