import { batchRows } from '../../database/batch.condition.ts';
import { best, KEY, MOST_READ, OTHER, OTHER_TABLES, said } from './relations.sql.ts';

/** Listings of one creator that are looked at: a collector may have any number. */
const MOST_LISTINGS = 1_000;

/**
 * Everything that is said of the listings of the creator `id` and others, by kind and direction, each with so many pairs
 * from one place on: those that share most files first. Of two of their own it is told once, at the younger end, where the
 * kind has a direction, and not at all where it has none. Counts are of what is read.
 */
export const OF_CREATOR = `SELECT asked.n, ranked.direction, ranked.kind, ranked.of_files AS "ofFiles", ranked.others, 0 AS "allFiles",
  ranked.files, ranked.path, ranked.evidence, ranked.source, utc_text(ranked.since) AS since, ranked.stated,
  home.subject_id AS "ownId", home.type AS "ownType", home.repository AS "ownRepository", ${OTHER}
FROM (${batchRows('id uuid, kind text, direction text, most int, skip int')}) AS asked CROSS JOIN LATERAL (
  WITH statements AS MATERIALIZED (
    SELECT own.id AS own_id, s.* FROM
      (SELECT l.subject_id AS id, asked.kind FROM listing l WHERE l.creator_id = asked.id LIMIT ${MOST_LISTINGS}) AS own
    CROSS JOIN LATERAL (${said('from', 'true', 'own')} UNION ALL ${said('to', 'true', 'own')}) AS s
    WHERE s.direction = 'out' OR NOT EXISTS (SELECT FROM listing m WHERE m.subject_id = s.other_id AND m.creator_id = asked.id)
    LIMIT ${MOST_READ}),
  grouped AS (SELECT direction, kind, own_id, other_id, min(other_name) AS other_name,
      count(DISTINCT coalesce(own_path, other_path)) AS files, min(coalesce(own_path, other_path)) AS path,
      ${best('evidence')}, ${best('source')}, min(created_at) AS since, bool_or(stated) AS stated
    FROM statements GROUP BY direction, kind, own_id, other_id, ${KEY})
  SELECT grouped.*, bool_or(files > 0) OVER every AS of_files, count(*) OVER every AS others,
    row_number() OVER (every ORDER BY files DESC, other_id IS NULL, lower(other_name), own_id) AS place
  FROM grouped WINDOW every AS (PARTITION BY direction, kind)) AS ranked
JOIN listing home ON home.subject_id = ranked.own_id
${OTHER_TABLES}
WHERE ranked.place > asked.skip AND ranked.place <= asked.skip + asked.most
  AND (asked.direction IS NULL OR ranked.direction = asked.direction)
ORDER BY asked.n, ranked.kind, ranked.direction, ranked.place`;
