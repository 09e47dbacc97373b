// Episodes with their chunks, by hand.
UNWIND $rows AS row
MATCH (speaker:Entity {scope: $scope, name: row.episode.speaker})
CREATE (speaker)-[:SPOKE]->(e:Episode) SET e = row.episode
CREATE (e)-[:HAS_CHUNK]->(c:Chunk) SET c = row.chunk
WITH e, row
MATCH (before:Episode {scope: $scope, id: row.episode.previous})
CREATE (e)-[:FOLLOWS]->(before)
