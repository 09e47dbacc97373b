// The database's own secret, made by whoever asks first.
//   $secret             random bytes, kept if there is none yet
MERGE (s:MemorySecret {name: 'idempotency'})
ON CREATE SET s.secret = $secret
RETURN s.secret AS secret
