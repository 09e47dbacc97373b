// Episodes by id, each with its chunks.
//   $scope              the scope's name
//   $given.ids
OPTIONAL MATCH (scope:Scope {name: $scope})
WITH coalesce(scope.clock, -4611686018427387904) AS clock
CALL () {
  UNWIND $given.ids AS id
  MATCH (e:Episode {scope: $scope, id: id})
  RETURN collect([e.id, e.text, e.occurred_at, e.recorded_at, e.source, e.speaker, e.session, e.position,
          e.previous, e.original_recorded_at,
          COLLECT { MATCH (e)-[:HAS_CHUNK]->(c:Chunk)
                    RETURN [c.number, c.start, c.end, c.digest, c.terms, c.context] ORDER BY c.number }]) AS found
}
OPTIONAL MATCH (after:Scope {name: $scope})
RETURN clock, coalesce(after.clock, clock) AS clock_after, found
