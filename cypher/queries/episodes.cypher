// Episodes by id, each with its chunks.
//   $scope              the scope's name
//   $ids
UNWIND $ids AS id
MATCH (e:Episode {scope: $scope, id: id})
RETURN [e.id, e.text, e.occurred_at, e.recorded_at, e.source, e.speaker, e.session, e.position,
        e.previous, e.original_recorded_at,
        COLLECT { MATCH (e)-[:HAS_CHUNK]->(c:Chunk)
                  RETURN [c.number, c.start, c.end, c.digest, c.terms, c.context] ORDER BY c.number }] AS episode
