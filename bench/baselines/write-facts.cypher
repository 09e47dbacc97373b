// Facts with their sources, by hand.
UNWIND $rows AS row
MATCH (subject:Entity {scope: $scope, name: row.fact.subject})
MATCH (e:Episode {scope: $scope, id: row.source.episode_id})
CREATE (f:Fact:StandingFact) SET f = row.fact
CREATE (s:Source) SET s = row.source
CREATE (f)-[:ABOUT]->(subject)
CREATE (f)-[:SUPPORTED_BY]->(s)
CREATE (s)-[:FROM]->(e)
