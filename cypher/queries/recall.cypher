// Everything a recall needs, in one round trip: full-text hits of facts, of episode chunks and, in a scope that has
// any, of context records; entities by name, alias or anchor, the relations around them, and what is anchored. Scope
// and clocks restrict each arm before its limit.
// A full-text arm looks at the best $…_depth matches of its query. When `…_depth_hit` says that there may be more,
// and too few of them were in view, ask again with a larger depth. What stands between `records: begin` and
// `records: end` is left out for a scope that is not known to have any: `has_records` says when it has after all.
//   $scope              the scope's name
//   $given.as_of, $given.known_at  the two instants in microseconds since 1970, or null
//   $now                the wall clock, used when $given.as_of is null
//   $retained_at        the wall clock, at which a record's retention must not have ended
//   $facts, $episodes, $records, $relations   how many of each at the most; 0 leaves the arm out
//   $given.facts_query  for Lucene: +marks:"s1f0c…"^0 +marks:[t1020575 TO t9999999]^0 +(terms:"lyon" terms:"move")
//   $given.superseded_query   the same for what was superseded
//   $given.episodes_query     the same over terms and context
//   $given.records_query, $given.superseded_records_query   like those of facts, over records served as one of
//                       some kinds of frame
//   $facts_depth, $episodes_depth, $records_depth   how many matches to look at
//   $given.frames       those kinds
//   $given.names        normalised names that might be an entity's
//   $given.entities     exact names of entities
//   $given.ids          ids of facts and episodes
//   $given.lineages     lineages of records
//   $anchored           how many facts about the entities at the most
//   $episodes_spoken    how many episodes at the most that each matched entity spoke
OPTIONAL MATCH (scope:Scope {name: $scope})
WITH coalesce(scope.clock, -4611686018427387904) AS clock, coalesce(scope.records, false) AS has_records
WITH clock, has_records, coalesce($given.known_at, clock) AS known_at,
     coalesce($given.as_of, CASE WHEN $now > clock THEN $now ELSE clock END) AS as_of

// Facts by their words. What was superseded can only be in view when the view looks back.
CALL (clock, known_at, as_of) {
  CALL (clock, known_at) {
    WITH known_at WHERE $facts > 0
    CALL db.index.fulltext.queryNodes('memory_standing_text', $given.facts_query, {limit: $facts_depth})
    YIELD node, score
    RETURN node AS f, score, 1 AS standing
   UNION ALL
    WITH known_at WHERE $facts > 0 AND known_at < clock
    CALL db.index.fulltext.queryNodes('memory_superseded_text', $given.superseded_query, {limit: $facts_depth})
    YIELD node, score
    RETURN node AS f, score, 0 AS standing
  }
  WITH sum(standing) AS standing, count(*) AS hits, collect(CASE
         WHEN f.recorded_at <= known_at AND f.superseded_at > known_at AND f.valid_from <= as_of AND f.valid_to > as_of
         THEN [score, f]
       END) AS kept
  CALL (kept, known_at) {
    UNWIND kept AS pair
    WITH known_at, pair[0] AS score, pair[1] AS f ORDER BY score DESC, f.recorded_at DESC, f.id LIMIT $facts
    RETURN collect([
      [f.id, f.subject, f.predicate, f.object_type, f.object_text, f.valid_from, f.valid_to,
       f.recorded_at, f.superseded_at, f.statement, f.digest, f.cause, f.ended_by, f.absorbed_by,
       f.terms],
      COLLECT {
        MATCH (s:Source) USING INDEX s:Source(scope, fact_id, detached_at)
        WHERE s.scope = $scope AND s.fact_id = f.id AND s.detached_at > known_at AND s.attached_at <= known_at
          AND s.covers_from < f.valid_to AND s.covers_to > f.valid_from
        RETURN [s.episode_id, s.file_uri, s.file_digest, s.file_range, s.by, s.method] ORDER BY s.recorded_at, s.id
      },
      score
    ]) AS facts_found
  }
  RETURN facts_found, size(kept) AS facts_matched,
         standing >= $facts_depth OR hits - standing >= $facts_depth AS facts_depth_hit
}

// Chunks of episodes by their words and those of the turn before.
CALL (known_at, as_of) {
  CALL (known_at) {
    WITH known_at WHERE $episodes > 0
    CALL db.index.fulltext.queryNodes('memory_chunk_text', $given.episodes_query, {limit: $episodes_depth})
    YIELD node, score
    RETURN node AS c, score
  }
  WITH count(*) AS hits, collect(CASE
         WHEN c.recorded_at <= known_at AND c.occurred_at <= as_of THEN [score, c]
       END) AS kept
  CALL (kept) {
    UNWIND kept AS pair
    WITH pair[0] AS score, pair[1] AS c ORDER BY score DESC, c.occurred_at DESC, c.episode_id, c.number LIMIT $episodes
    MATCH (e:Episode)-[:HAS_CHUNK]->(c)
    RETURN collect([e.id, [c.number, c.start, c.end, c.digest, c.terms, c.context], score]) AS chunks_found,
           collect(DISTINCT e) AS said
  }
  RETURN chunks_found, size(kept) AS chunks_matched, hits >= $episodes_depth AS chunks_depth_hit,
         [e IN said | [e.id, e.text, e.occurred_at, e.recorded_at, e.source, e.speaker, e.session, e.position,
                       e.previous, e.original_recorded_at]] AS episodes_said
}

// records: begin
// Context records by their words.
CALL (clock, has_records, known_at, as_of) {
  CALL (clock, has_records, known_at) {
    WITH known_at WHERE has_records AND $records > 0
    CALL db.index.fulltext.queryNodes('memory_record_text', $given.records_query, {limit: $records_depth})
    YIELD node, score
    RETURN node AS r, score, 1 AS standing
   UNION ALL
    WITH known_at WHERE has_records AND $records > 0 AND known_at < clock
    CALL db.index.fulltext.queryNodes('memory_superseded_record_text', $given.superseded_records_query,
                                      {limit: $records_depth})
    YIELD node, score
    RETURN node AS r, score, 0 AS standing
  }
  WITH sum(standing) AS standing, count(*) AS hits, collect(CASE
         WHEN r.recorded_at <= known_at AND r.superseded_at > known_at AND r.valid_from <= as_of AND r.valid_to > as_of
           AND r.expires_at > $retained_at AND r.frame IN $given.frames
         THEN [score, r]
       END) AS kept
  CALL (kept) {
    UNWIND kept AS pair
    WITH pair[0] AS score, pair[1] AS r ORDER BY score DESC, r.recorded_at DESC, r.id LIMIT $records
    RETURN collect([
      [r.id, r.lineage, r.kind, r.status, r.statement, '', r.digest, r.observed_at, r.valid_from,
       r.valid_to, r.recorded_at, r.superseded_at, r.expires_at, r.position, r.frame, r.frame_digest,
       r.sharing, r.subjects, r.retention, r.client, r.by, r.original_recorded_at],
      r.terms,
      score
    ]) AS records_found
  }
  RETURN records_found, size(kept) AS records_matched,
         standing >= $records_depth OR hits - standing >= $records_depth AS records_depth_hit
}

// Context records that are anchored by their lineage.
CALL (has_records, known_at, as_of) {
  WITH known_at, as_of WHERE has_records
  UNWIND $given.lineages AS lineage
  CALL (lineage, known_at) {
    MATCH (r:ContextRecord) USING INDEX r:ContextRecord(scope, lineage, recorded_at, position)
    WHERE r.scope = $scope AND r.lineage = lineage AND r.recorded_at <= known_at AND r.position IS NOT NULL
    RETURN r ORDER BY r.scope DESC, r.lineage DESC, r.recorded_at DESC, r.position DESC LIMIT 1
  }
  WITH r WHERE r.superseded_at > known_at AND r.valid_from <= as_of AND r.valid_to > as_of
    AND r.expires_at > $retained_at AND r.frame IN $given.frames
  RETURN collect([
    [r.id, r.lineage, r.kind, r.status, r.statement, '', r.digest, r.observed_at, r.valid_from,
     r.valid_to, r.recorded_at, r.superseded_at, r.expires_at, r.position, r.frame, r.frame_digest,
     r.sharing, r.subjects, r.retention, r.client, r.by, r.original_recorded_at],
    r.terms
  ]) AS anchored_records
}
// records: end

// Entities by name, by an alias in view, or named exactly.
CALL (known_at, as_of) {
  CALL (known_at, as_of) {
    MATCH (e:Entity) USING INDEX e:Entity(scope, name_norm)
    WHERE e.scope = $scope AND e.name_norm IN $given.names
    RETURN e
   UNION
    MATCH (f:Fact) USING INDEX SEEK f:Fact(scope, alias, superseded_at, valid_to)
    WHERE f.scope = $scope AND f.alias IN $given.names AND f.superseded_at = 4611686018427387904
      AND f.recorded_at <= known_at AND f.valid_from <= as_of AND f.valid_to > as_of
    MATCH (f)-[:ABOUT]->(e:Entity)
    RETURN e
   UNION
    MATCH (f:Fact) USING INDEX SEEK f:Fact(scope, alias, superseded_at, valid_to)
    WHERE f.scope = $scope AND f.alias IN $given.names
      AND f.superseded_at > known_at AND f.superseded_at < 4611686018427387904
      AND f.recorded_at <= known_at AND f.valid_from <= as_of AND f.valid_to > as_of
    MATCH (f)-[:ABOUT]->(e:Entity)
    RETURN e
   UNION
    MATCH (e:Entity) USING INDEX e:Entity(scope, name)
    WHERE e.scope = $scope AND e.name IN $given.entities
    RETURN e
  }
  WITH e ORDER BY e.name
  RETURN collect(e) AS entities
}

// Relations around them, whenever valid.
CALL (known_at, entities) {
  WITH known_at, entities WHERE $relations > 0
  UNWIND entities AS e
  CALL (e, known_at) {
    MATCH (f:Fact) USING INDEX f:Fact(scope, subject, superseded_at, valid_to)
    WHERE f.scope = $scope AND f.subject = e.name AND f.superseded_at > known_at
      AND f.recorded_at <= known_at AND f.object_type = 'entity' AND f.valid_to IS NOT NULL
    RETURN f
   UNION
    MATCH (f:Fact) USING INDEX f:Fact(scope, object_key, superseded_at, valid_to)
    WHERE f.scope = $scope AND f.object_key = 'entity:' + e.name AND f.superseded_at > known_at
      AND f.recorded_at <= known_at AND f.valid_to IS NOT NULL
    RETURN f
  }
  WITH DISTINCT known_at, f ORDER BY f.recorded_at DESC, f.valid_from DESC, f.id LIMIT $relations + 1
  RETURN collect(DISTINCT f.predicate) AS related_by, collect([
    [f.id, f.subject, f.predicate, f.object_type, f.object_text, f.valid_from, f.valid_to,
     f.recorded_at, f.superseded_at, f.statement, f.digest, f.cause, f.ended_by, f.absorbed_by,
     f.terms],
    COLLECT {
      MATCH (s:Source) USING INDEX s:Source(scope, fact_id, detached_at)
      WHERE s.scope = $scope AND s.fact_id = f.id AND s.detached_at > known_at AND s.attached_at <= known_at
        AND s.covers_from < f.valid_to AND s.covers_to > f.valid_from
      RETURN [s.episode_id, s.file_uri, s.file_digest, s.file_range, s.by, s.method] ORDER BY s.recorded_at, s.id
    }
  ]) AS relations_found
}

CALL (related_by) {
  MATCH (p:Predicate) USING INDEX p:Predicate(scope, name)
  WHERE p.scope = $scope AND p.name IN related_by
  RETURN collect([p.id, p.name, p.cardinality, p.object_type, p.label, p.inverse_label, p.declared]) AS predicates
}

// Facts in view that are anchored: by id, or by an entity at either end.
CALL (known_at, as_of) {
  CALL (known_at, as_of) {
    UNWIND $given.ids AS id
    MATCH (f:Fact) USING INDEX f:Fact(scope, id, recorded_at)
    WHERE f.scope = $scope AND f.id = id AND f.recorded_at <= known_at AND f.superseded_at > known_at
      AND f.valid_from <= as_of AND f.valid_to > as_of
    RETURN f, 0 AS rank
   UNION
    UNWIND $given.entities AS name
    CALL (name, known_at, as_of) {
      MATCH (f:Fact) USING INDEX f:Fact(scope, subject, superseded_at, valid_to)
      WHERE f.scope = $scope AND f.subject = name AND f.superseded_at = 4611686018427387904
        AND f.recorded_at <= known_at AND f.valid_from <= as_of AND f.valid_to > as_of
      RETURN f
     UNION
      MATCH (f:Fact) USING INDEX f:Fact(scope, subject, superseded_at, valid_to)
      WHERE f.scope = $scope AND f.subject = name
        AND f.superseded_at > known_at AND f.superseded_at < 4611686018427387904
        AND f.recorded_at <= known_at AND f.valid_from <= as_of AND f.valid_to > as_of
      RETURN f
     UNION
      MATCH (f:Fact) USING INDEX f:Fact(scope, object_key, superseded_at, valid_to)
      WHERE f.scope = $scope AND f.object_key = 'entity:' + name AND f.superseded_at = 4611686018427387904
        AND f.recorded_at <= known_at AND f.valid_from <= as_of AND f.valid_to > as_of
      RETURN f
     UNION
      MATCH (f:Fact) USING INDEX f:Fact(scope, object_key, superseded_at, valid_to)
      WHERE f.scope = $scope AND f.object_key = 'entity:' + name
        AND f.superseded_at > known_at AND f.superseded_at < 4611686018427387904
        AND f.recorded_at <= known_at AND f.valid_from <= as_of AND f.valid_to > as_of
      RETURN f
    }
    WITH DISTINCT f ORDER BY f.recorded_at DESC, f.valid_from DESC, f.id LIMIT $anchored + 1
    RETURN f, 1 AS rank
  }
  WITH known_at, f, min(rank) AS rank ORDER BY f.recorded_at DESC, f.valid_from DESC, f.id
  RETURN collect([
    [f.id, f.subject, f.predicate, f.object_type, f.object_text, f.valid_from, f.valid_to,
     f.recorded_at, f.superseded_at, f.statement, f.digest, f.cause, f.ended_by, f.absorbed_by,
     f.terms],
    COLLECT {
      MATCH (s:Source) USING INDEX s:Source(scope, fact_id, detached_at)
      WHERE s.scope = $scope AND s.fact_id = f.id AND s.detached_at > known_at AND s.attached_at <= known_at
        AND s.covers_from < f.valid_to AND s.covers_to > f.valid_from
      RETURN [s.episode_id, s.file_uri, s.file_digest, s.file_range, s.by, s.method] ORDER BY s.recorded_at, s.id
    },
    rank
  ]) AS anchored_found
}

// The newest episodes that the entities spoke.
CALL (known_at, as_of, entities) {
  UNWIND entities AS speaker
  CALL (speaker, known_at, as_of) {
    WITH speaker, known_at, as_of WHERE $episodes_spoken > 0
    MATCH (e:Episode) USING INDEX e:Episode(scope, speaker, occurred_at)
    WHERE e.scope = $scope AND e.speaker = speaker.name AND e.occurred_at <= as_of AND e.recorded_at <= known_at
    RETURN e.id AS id ORDER BY e.scope DESC, e.speaker DESC, e.occurred_at DESC, e.id LIMIT $episodes_spoken
  }
  RETURN collect(DISTINCT id) AS spoken
}

// Episodes that are anchored, and those.
CALL (known_at, as_of, spoken) {
  UNWIND $given.ids + spoken AS id
  WITH DISTINCT known_at, as_of, id
  MATCH (e:Episode) USING INDEX e:Episode(scope, id)
  WHERE e.scope = $scope AND e.id = id AND e.recorded_at <= known_at AND e.occurred_at <= as_of
  RETURN collect([
    e.id, e.text, e.occurred_at, e.recorded_at, e.source, e.speaker, e.session, e.position,
    e.previous, e.original_recorded_at,
    COLLECT { MATCH (e)-[:HAS_CHUNK]->(c:Chunk)
              RETURN [c.number, c.start, c.end, c.digest, c.terms, c.context] ORDER BY c.number }
  ]) AS episodes_whole
}

OPTIONAL MATCH (after:Scope {name: $scope})
RETURN clock, coalesce(after.clock, clock) AS clock_after, as_of, known_at,
       facts_found, facts_matched, facts_depth_hit, chunks_found, episodes_said, chunks_matched, chunks_depth_hit,
       [e IN entities | [e.id, e.name]] AS entities, relations_found, predicates, anchored_found, episodes_whole,
       spoken, has_records
// records: begin
       , records_found, records_matched, records_depth_hit, anchored_records
// records: end
