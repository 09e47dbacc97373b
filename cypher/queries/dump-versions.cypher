// Versions of a scope recorded by an instant, oldest first, in pages, each with what it replaced.
//   $scope              the scope's name
//   $clock              the instant
//   $after, $limit      the page: the last version's [recorded_at, id], and how many
MATCH (f:Fact) USING INDEX f:Fact(scope, recorded_at)
WHERE f.scope = $scope AND f.recorded_at >= $after[0] AND f.recorded_at <= $clock AND [f.recorded_at, f.id] > $after
WITH f ORDER BY f.scope, f.recorded_at, f.id LIMIT $limit
RETURN [f.id, f.subject, f.predicate, f.object_type, f.object_text, f.valid_from, f.valid_to,
        f.recorded_at, f.superseded_at, f.statement, f.digest, f.cause, f.ended_by, f.absorbed_by] AS fact,
       f.terms AS terms, f.alias AS alias,
       COLLECT { MATCH (f)-[:SUPERSEDES]->(old:Fact) RETURN [old.id, old.recorded_at] ORDER BY old.recorded_at, old.id }
         AS replaces,
       [f.recorded_at, f.id] AS after
