// Lines that stand twice or were believed twice at once, and standing windows that overlap where they must not.
//   $scope              the scope's name
//   $limit              how many findings of each kind at the most
CALL () {
  MATCH (f:Fact) USING INDEX f:Fact(scope, id, recorded_at)
  WHERE f.scope = $scope AND f.id IS NOT NULL AND f.recorded_at IS NOT NULL
  WITH f ORDER BY f.id, f.recorded_at
  WITH f.id AS id, collect([f.recorded_at, f.superseded_at]) AS spans WHERE size(spans) > 1
  WITH id, size([s IN spans WHERE s[1] = 4611686018427387904]) AS standing,
       any(i IN range(1, size(spans) - 1) WHERE spans[i - 1][1] > spans[i][0]) AS at_once
  WHERE standing > 1 OR at_once
  RETURN CASE WHEN standing > 1 THEN 'two standing versions' ELSE 'versions believed at once' END AS check, id AS what
  LIMIT $limit
 UNION ALL
  MATCH (p:Predicate) USING INDEX p:Predicate(scope, name)
  WHERE p.scope = $scope AND p.name IS NOT NULL
  MATCH (f:Fact) USING INDEX f:Fact(scope, predicate, superseded_at, valid_to)
  WHERE f.scope = $scope AND f.predicate = p.name AND f.superseded_at = 4611686018427387904 AND f.valid_to IS NOT NULL
  WITH p, f ORDER BY f.valid_from, f.id
  WITH p, f.subject AS subject,
       CASE p.cardinality WHEN 'one' THEN null ELSE [f.object_type, f.object_text] END AS object,
       collect([f.id, f.valid_from, f.valid_to, [f.object_type, f.object_text]]) AS lines
  WHERE size(lines) > 1
  UNWIND range(1, size(lines) - 1) AS i
  WITH p, lines[i] AS line, lines[..i] AS earlier
  WITH line,
       any(e IN earlier WHERE e[2] > line[1]) AND p.cardinality = 'one' AS overlaps,
       any(e IN earlier WHERE e[2] >= line[1] AND e[3] = line[3]) AS split
  WHERE overlaps OR split
  RETURN CASE WHEN overlaps THEN 'overlapping facts of a predicate of one' ELSE 'lines that should be one' END AS check,
         line[0] AS what LIMIT $limit
}
RETURN check, what
