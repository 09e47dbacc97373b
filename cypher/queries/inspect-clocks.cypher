// Clocks that are behind what they count, and rows of scopes without a clock.
//   $scope              a scope's name, or null for all
MATCH (f:Fact) WHERE $scope IS NULL OR f.scope = $scope
WITH f.scope AS name, max(CASE WHEN f.superseded_at < 4611686018427387904 AND f.superseded_at > f.recorded_at
                               THEN f.superseded_at ELSE f.recorded_at END) AS last
OPTIONAL MATCH (scope:Scope {name: name})
WITH name, last, scope WHERE scope IS NULL OR scope.clock < last
RETURN 'clocks' AS check, name AS scope,
       CASE WHEN scope IS NULL THEN 'the scope has facts and no clock'
            ELSE 'the clock is behind the last transaction, recorded at ' + last END AS what
UNION ALL
MATCH (e:Episode) WHERE $scope IS NULL OR e.scope = $scope
WITH e.scope AS name, max(e.recorded_at) AS last
OPTIONAL MATCH (scope:Scope {name: name})
WITH name, last, scope WHERE scope IS NULL OR scope.clock < last
RETURN 'clocks' AS check, name AS scope,
       CASE WHEN scope IS NULL THEN 'the scope has episodes and no clock'
            ELSE 'the clock is behind the last episode, recorded at ' + last END AS what
