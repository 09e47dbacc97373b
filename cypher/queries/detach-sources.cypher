// End the backing of source links. Answers how many.
//   $scope              the scope's name
//   $at                 the recorded time of the transaction
//   $given.ids
UNWIND $given.ids AS id
MATCH (s:Source {scope: $scope, id: id})
SET s.detached_at = $at
RETURN count(*) AS detached
