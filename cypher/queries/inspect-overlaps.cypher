// Lines that stand twice, and standing windows of a `one` predicate that overlap.
//   $scope              a scope's name, or null for all
MATCH (f:Fact) WHERE ($scope IS NULL OR f.scope = $scope) AND f.superseded_at = 4611686018427387904
WITH f.scope AS name, f.id AS id, count(*) AS versions WHERE versions > 1
RETURN 'lines' AS check, name AS scope, 'fact ' + id + ' has ' + versions + ' standing versions' AS what
UNION ALL
MATCH (p:Predicate) WHERE ($scope IS NULL OR p.scope = $scope) AND p.cardinality = 'one'
MATCH (f:Fact) USING INDEX f:Fact(scope, predicate, superseded_at)
WHERE f.scope = p.scope AND f.predicate = p.name AND f.superseded_at = 4611686018427387904
WITH p, f ORDER BY f.valid_from, f.id
WITH p, f.subject AS subject, collect(f) AS lines
UNWIND range(1, size(lines) - 1) AS i
WITH p, lines[i - 1] AS earlier, lines[i] AS later WHERE later.valid_from < earlier.valid_to
RETURN 'overlaps' AS check, p.scope AS scope,
       'facts ' + earlier.id + ' and ' + later.id + ' overlap, and their predicate holds one at a time' AS what
