-- Stores the verdict with the evidence of a score, so that the change feed also records other verdicts of subjects without a rank:
-- creators, accounts and artifacts. Evidence that was stored before has none; its successor then counts as another verdict.
ALTER TABLE score_evidence ADD COLUMN verdict text, ADD COLUMN reasons text[];

-- The score of a verified creator stands in the answers of their listings. The first scores of an import are stored after the
-- version. Few creators are verified: imports, which score many, read no score here. With the first score of a subject comes its
-- first verdict. Scalar subqueries read each score by its key, whatever plan is cached.
CREATE OR REPLACE FUNCTION record_scores() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  proved uuid[];
BEGIN
  INSERT INTO change (kind, subject_id)
  SELECT 'score', t.id FROM touched t JOIN before b ON b.id = t.id WHERE t.current_version IS DISTINCT FROM b.current_version
  UNION ALL
  SELECT 'verdict', t.id FROM touched t JOIN before b ON b.id = t.id
  WHERE b.current_version IS NULL AND t.current_version IS NOT NULL
  UNION ALL
  SELECT 'verdict', judged.id FROM (SELECT t.id,
      (SELECT e.verdict || ' ' || array_to_string(e.reasons, ' ') FROM score_version v
        JOIN score_evidence e ON e.subject_id = v.subject_id AND e.content = v.content
        WHERE v.subject_id = t.id AND v.version = b.current_version) AS was,
      (SELECT e.verdict || ' ' || array_to_string(e.reasons, ' ') FROM score_version v
        JOIN score_evidence e ON e.subject_id = v.subject_id AND e.content = v.content
        WHERE v.subject_id = t.id AND v.version = t.current_version) AS became
    FROM touched t JOIN before b ON b.id = t.id
    WHERE t.current_version <> b.current_version
      AND NOT EXISTS (SELECT FROM listing_rank k WHERE k.subject_id = t.id OFFSET 0) OFFSET 0) judged
  WHERE judged.was IS NULL OR judged.was IS DISTINCT FROM judged.became;
  IF NOT EXISTS (SELECT FROM touched WHERE type = 'creator') THEN RETURN NULL; END IF;
  SELECT array_agg(c.subject_id) INTO proved FROM touched t JOIN creator c ON c.subject_id = t.id WHERE c.verified;
  IF proved IS NULL THEN RETURN NULL; END IF;
  INSERT INTO change (kind, subject_id)
  SELECT 'listing', l.subject_id
  FROM touched t JOIN before b ON b.id = t.id
  LEFT JOIN score was ON was.subject_id = t.id AND was.version = b.current_version
  LEFT JOIN score became ON became.subject_id = t.id AND became.version = t.current_version
  JOIN listing l ON l.creator_id = t.id
  WHERE t.id = ANY (proved) AND t.current_version IS DISTINCT FROM b.current_version
    AND (became.trust IS NULL OR (was.trust, was.confidence) IS DISTINCT FROM (became.trust, became.confidence));
  RETURN NULL;
END $$;

-- down
CREATE OR REPLACE FUNCTION record_scores() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  proved uuid[];
BEGIN
  INSERT INTO change (kind, subject_id)
  SELECT 'score', t.id FROM touched t JOIN before b ON b.id = t.id WHERE t.current_version IS DISTINCT FROM b.current_version
  UNION ALL
  SELECT 'verdict', t.id FROM touched t JOIN before b ON b.id = t.id
  WHERE b.current_version IS NULL AND t.current_version IS NOT NULL AND t.type IN ('agent', 'skill');
  IF NOT EXISTS (SELECT FROM touched WHERE type = 'creator') THEN RETURN NULL; END IF;
  SELECT array_agg(c.subject_id) INTO proved FROM touched t JOIN creator c ON c.subject_id = t.id WHERE c.verified;
  IF proved IS NULL THEN RETURN NULL; END IF;
  INSERT INTO change (kind, subject_id)
  SELECT 'listing', l.subject_id
  FROM touched t JOIN before b ON b.id = t.id
  LEFT JOIN score was ON was.subject_id = t.id AND was.version = b.current_version
  LEFT JOIN score became ON became.subject_id = t.id AND became.version = t.current_version
  JOIN listing l ON l.creator_id = t.id
  WHERE t.id = ANY (proved) AND t.current_version IS DISTINCT FROM b.current_version
    AND (became.trust IS NULL OR (was.trust, was.confidence) IS DISTINCT FROM (became.trust, became.confidence));
  RETURN NULL;
END $$;
ALTER TABLE score_evidence DROP COLUMN reasons, DROP COLUMN verdict;
