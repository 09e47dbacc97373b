// Indexes, and those behind constraints: their names and states.
SHOW INDEXES YIELD name, state WHERE name STARTS WITH 'memory_'
RETURN name, state
