// Facts between entities with their sources and the edge that a person walks, by hand.
UNWIND $rows AS row
MATCH (subject:Entity {scope: $scope, name: row.fact.subject})
MATCH (object:Entity {scope: $scope, name: row.fact.object_text})
MATCH (e:Episode {scope: $scope, id: row.source.episode_id})
CREATE (f:Fact:StandingFact) SET f = row.fact
CREATE (s:Source) SET s = row.source
CREATE (f)-[:ABOUT]->(subject)
CREATE (f)-[:OBJECT]->(object)
CREATE (f)-[:SUPPORTED_BY]->(s)
CREATE (s)-[:FROM]->(e)
CREATE (subject)-[edge:$(row.edge)]->(object) SET edge = row.properties
