import { holdsBareHandle, holdsBareRepository } from './bare-name.condition.ts';
import type { PathParts } from './public-path.ts';
import type { SubjectType } from './subject-type.ts';

/** A label to look up; among labels of one kind the lowest place wins. */
export interface AskedLabel {
  label: string;
  type: SubjectType;
  place: number;
}

/** What a text is looked up by: an item of a batch, whose columns are `SUBJECT_QUESTION`. */
export interface SubjectQuestion {
  labels: readonly AskedLabel[];
  /** Of several, so many are told. */
  most: number;
  hosts: readonly string[];
}

export interface FoundSubject extends PathParts {
  name: string;
  source: string;
  sourceId: string;
}

export const SUBJECT_QUESTION = 'labels jsonb, most int, hosts text[]';

/** Bearers read of one display name: a popular one has thousands, and two make it ambiguous. An address has few. */
const BEARERS_READ = 50;

/**
 * The subjects that the best labels of the items `c` lead to, among a statement's WITH: by kind (identity, former, name), then
 * by place. `place` counts an item's subjects, of which there are `subjects`.
 */
export const BEST_SUBJECTS = `best AS MATERIALIZED (SELECT n, subject_id, row_number() OVER w AS place, count(*) OVER w AS subjects
  FROM (SELECT DISTINCT n, subject_id FROM (SELECT c.n, bearer.subject_id, rank() OVER (PARTITION BY c.n
        ORDER BY array_position(ARRAY['identity', 'former', 'name'], bearer.kind), asked.place) AS rank
      FROM c CROSS JOIN LATERAL (SELECT * FROM jsonb_to_recordset(c.labels) AS l(label text, type text, place int)
        WHERE l.place BETWEEN 0 AND 9999) AS asked
      CROSS JOIN LATERAL (SELECT subject_id, kind FROM subject_alias
        WHERE label = asked.label AND subject_type = asked.type
        LIMIT CASE WHEN asked.label ~ '[/:@]' THEN NULL ELSE ${BEARERS_READ} END) AS bearer) AS named
    WHERE rank = 1) AS distinct_one
  WINDOW w AS (PARTITION BY n ORDER BY subject_id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING))`;

/** Which of them are told of an item. */
export const TOLD_OF_ITEM = 'best.n = c.n AND best.place <= c.most';

/** SQL of one of them as it is told: a row of `FoundSubject`. OFFSET keeps its tables together, each found by its key. */
export const FOUND_SUBJECT = `SELECT s.id, s.type, s.name, l.agent_id AS "agentId", a.name AS "artifactName",
  coalesce(maker.handle, p.handle) AS handle, coalesce(l.host, home.host, maker.host, p.platform) AS host,
  coalesce(l.repository, home.repository) AS repository,
  coalesce(l.source, a.source, p.source, first.source, 'registration') AS source,
  coalesce(l.registry_row_id, a.registry_row_id, p.registry_row_id, s.id) AS "sourceId",
  CASE WHEN maker.subject_id IS NOT NULL THEN ${holdsBareHandle('maker', 'c.hosts')}
       WHEN a.subject_id IS NOT NULL THEN ${holdsBareRepository('home', 'c.hosts')}
       WHEN p.subject_id IS NOT NULL THEN false
       ELSE ${holdsBareRepository('l', 'c.hosts')} END AS "holdsBareName"
FROM subject s
LEFT JOIN listing l ON l.subject_id = s.id
LEFT JOIN artifact a ON a.subject_id = s.id
LEFT JOIN listing home ON home.subject_id = a.listing_id
LEFT JOIN creator maker ON maker.subject_id = s.id
LEFT JOIN platform_account p ON p.subject_id = s.id
LEFT JOIN LATERAL (SELECT source FROM listing WHERE creator_id = maker.subject_id
  ORDER BY listed_at, subject_id LIMIT 1) AS first ON true
WHERE s.id = best.subject_id OFFSET 0`;

/**
 * The same of a subject `s` with a place in a repository, of its artifact `a`, where it is one, and the listing `l`, its own or
 * that of its repository; `asked.hosts` are the item's.
 */
export const FOUND_IN_REPOSITORY = `s.id, s.type, s.name, CASE WHEN a.subject_id IS NULL THEN l.agent_id END AS "agentId",
  a.name AS "artifactName", NULL::text AS handle, l.host, l.repository,
  coalesce(CASE WHEN a.subject_id IS NULL THEN l.source ELSE a.source END, 'registration') AS source,
  coalesce(CASE WHEN a.subject_id IS NULL THEN l.registry_row_id ELSE a.registry_row_id END, s.id) AS "sourceId",
  ${holdsBareRepository('l', 'asked.hosts')} AS "holdsBareName"`;

/** The order in which several are told, of the rows `found`. */
export const FOUND_IN_ORDER = 'found.repository, found.name, found.id';
