// What a question needs, by hand: the best facts and episodes in view, the entities it names, and their relations.
CALL () {
  CALL db.index.fulltext.queryNodes('memory_standing_text', $facts_query, {limit: 320}) YIELD node AS f, score
  WITH f, score WHERE f.valid_from <= $as_of AND f.valid_to > $as_of
  WITH f, score ORDER BY score DESC LIMIT 64
  RETURN collect([f.id, f.subject, f.predicate, f.object_type, f.object_text, f.valid_from, f.valid_to,
                  f.recorded_at, f.statement, f.digest,
                  COLLECT {
                    MATCH (s:Source)
                    WHERE s.scope = $scope AND s.fact_id = f.id AND s.detached_at = $open
                      AND s.covers_from < f.valid_to AND s.covers_to > f.valid_from
                    RETURN [s.episode_id, s.file_uri, s.by, s.method, s.confidence, s.spoke_from, s.spoke_to,
                            s.recorded_at]
                  }, score]) AS facts
}
CALL () {
  CALL db.index.fulltext.queryNodes('memory_chunk_text', $episodes_query, {limit: 320}) YIELD node AS c, score
  WITH c, score WHERE c.occurred_at <= $as_of
  WITH c, score ORDER BY score DESC LIMIT 64
  MATCH (e:Episode)-[:HAS_CHUNK]->(c)
  RETURN collect([e.id, e.text, e.occurred_at, e.recorded_at, e.speaker, e.session, c.number, c.digest, score])
    AS episodes
}
CALL () {
  CALL () {
    MATCH (e:Entity)
    WHERE e.scope = $scope AND e.name_norm IN $names
    RETURN e
   UNION
    MATCH (f:Fact) USING INDEX SEEK f:Fact(scope, alias, superseded_at, valid_to)
    WHERE f.scope = $scope AND f.alias IN $names AND f.superseded_at = $open AND f.valid_to > $as_of
    MATCH (f)-[:ABOUT]->(e:Entity)
    RETURN e
  }
  RETURN collect(e) AS entities
}
CALL (entities) {
  UNWIND entities AS e
  CALL (e) {
    MATCH (f:Fact) USING INDEX SEEK f:Fact(scope, subject, superseded_at, valid_to)
    WHERE f.scope = $scope AND f.subject = e.name AND f.superseded_at = $open AND f.valid_to IS NOT NULL
      AND f.object_type = 'entity'
    RETURN f
   UNION
    MATCH (f:Fact) USING INDEX SEEK f:Fact(scope, object_key, superseded_at, valid_to)
    WHERE f.scope = $scope AND f.object_key = 'entity:' + e.name AND f.superseded_at = $open
      AND f.valid_to IS NOT NULL
    RETURN f
  }
  MATCH (p:Predicate {scope: $scope, name: f.predicate})
  RETURN collect([e.id, f.id, f.subject, f.predicate, f.object_text, f.valid_from, f.valid_to, f.recorded_at,
                  f.statement, f.digest, p.label, p.inverse_label,
                  COLLECT {
                    MATCH (s:Source)
                    WHERE s.scope = $scope AND s.fact_id = f.id AND s.detached_at = $open
                      AND s.covers_from < f.valid_to AND s.covers_to > f.valid_from
                    RETURN [s.episode_id, s.file_uri, s.by, s.method, s.confidence, s.spoke_from, s.spoke_to,
                            s.recorded_at]
                  }]) AS relations
}
RETURN facts, episodes, [e IN entities | [e.id, e.name]] AS entities, relations
