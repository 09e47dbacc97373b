// Facts of a key in view with their sources, by hand.
MATCH (f:Fact)
WHERE f.scope = $scope AND f.subject = $subject AND f.predicate = $predicate AND f.superseded_at = $open
  AND f.valid_from <= $as_of AND f.valid_to > $as_of
RETURN f.id, f.subject, f.predicate, f.object_type, f.object_text, f.valid_from, f.valid_to, f.recorded_at,
       f.statement, f.digest,
       COLLECT {
         MATCH (s:Source)
         WHERE s.scope = $scope AND s.fact_id = f.id AND s.detached_at = $open
           AND s.covers_from < f.valid_to AND s.covers_to > f.valid_from
         RETURN [s.episode_id, s.file_uri, s.by, s.method, s.confidence, s.spoke_from, s.spoke_to, s.recorded_at]
         ORDER BY s.recorded_at
       } AS sources
ORDER BY f.valid_from, f.object_text, f.id
