import type { SubjectType } from '../../scoring/subject-type.ts';
import type { PathParts } from './public-path.ts';

/** An alias to look up. Among aliases of one kind, the one with the lowest `place` wins. */
export interface RankedAlias {
  label: string;
  type: SubjectType;
  place: number;
}

/** Lookup of one text, an item of a batch. `LOOKUP_COLUMNS` declares its fields as SQL columns. */
export interface SubjectLookup {
  labels: readonly RankedAlias[];
  /** Maximum number of subjects returned. */
  most: number;
  hosts: readonly string[];
}

export interface FoundSubject extends PathParts {
  name: string;
  source: string;
  sourceId: string;
}

export const LOOKUP_COLUMNS = 'labels jsonb, most int, hosts text[]';

/**
 * Maximum rows read per display name. Popular names have thousands, and two rows are enough to call a name ambiguous.
 * Addresses have few rows, so all are read.
 */
const MAX_ROWS_PER_NAME = 50;

/**
 * CTE with the subjects to which the highest-ranked aliases of each batch item `c` belong. Aliases rank by kind
 * (identity, former, name), then by `place`. `best.place` numbers the subjects of an item; `best.subjects` is their
 * count.
 */
export const BEST_SUBJECTS = `best AS MATERIALIZED (SELECT n, subject_id, row_number() OVER w AS place, count(*) OVER w AS subjects
  FROM (SELECT DISTINCT n, subject_id FROM (SELECT c.n, alias.subject_id, rank() OVER (PARTITION BY c.n
        ORDER BY array_position(ARRAY['identity', 'former', 'name'], alias.kind), asked.place) AS rank
      FROM c CROSS JOIN LATERAL (SELECT * FROM jsonb_to_recordset(c.labels) AS l(label text, type text, place int)
        WHERE l.place BETWEEN 0 AND 9999) AS asked
      CROSS JOIN LATERAL (SELECT subject_id, kind FROM subject_alias
        WHERE label = asked.label AND subject_type = asked.type
        LIMIT CASE WHEN asked.label ~ '[/:@]' THEN NULL ELSE ${MAX_ROWS_PER_NAME} END) AS alias) AS named
    WHERE rank = 1) AS distinct_one
  WINDOW w AS (PARTITION BY n ORDER BY subject_id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING))`;

/** SQL condition for the subjects to return for batch item `c`: at most `c.most`. */
export const WITHIN_LIMIT = 'best.n = c.n AND best.place <= c.most';

/**
 * Selects one result as a row of `FoundSubject`. OFFSET 0 keeps the planner from merging the subquery, so that each
 * table is read by its key.
 */
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
 * Columns of a `FoundSubject` in a repository. Subject `s` is either listing `l`, or artifact `a` inside listing `l`.
 * `asked.hosts` has the hosts of the batch item.
 */
export const FOUND_IN_REPOSITORY = `s.id, s.type, s.name, CASE WHEN a.subject_id IS NULL THEN l.agent_id END AS "agentId",
  a.name AS "artifactName", NULL::text AS handle, l.host, l.repository,
  coalesce(CASE WHEN a.subject_id IS NULL THEN l.source ELSE a.source END, 'registration') AS source,
  coalesce(CASE WHEN a.subject_id IS NULL THEN l.registry_row_id ELSE a.registry_row_id END, s.id) AS "sourceId",
  ${holdsBareRepository('l', 'asked.hosts')} AS "holdsBareName"`;

/** Sort order of several results. */
export const FOUND_ORDER = 'found.repository, found.name, found.id';

/**
 * Returns SQL that is true if `owner/repo` without a host means this listing: no host earlier in the lookup order has
 * the same repository. Always true for a host outside `hosts`. `listing` is a table alias, `hosts` SQL for
 * `publicUrls.hosts`, such as `($1::text[])`.
 */
export function holdsBareRepository(listing: string, hosts: string): string {
  return `(${listing}.host = ${hosts}[1] OR NOT EXISTS (SELECT FROM listing earlier
    WHERE lower(earlier.host) = ANY (${hosts}[1:coalesce(array_position(${hosts}, lower(${listing}.host)), 1) - 1])
    AND lower(earlier.repository) = lower(${listing}.repository)))`;
}

/**
 * Returns SQL that is true if this creator's handle without a host means this creator. Handles of this directory rank
 * after those of every host. Creators on hosts outside `hosts` are found by their stored bare alias.
 */
export function holdsBareHandle(creator: string, hosts: string): string {
  return `(${creator}.host = ${hosts}[1] OR NOT EXISTS (SELECT FROM creator earlier
    WHERE earlier.host = ANY (${hosts}[1:coalesce(array_position(${hosts}, ${creator}.host), cardinality(${hosts}) + 1) - 1])
    AND lower(earlier.handle) = lower(${creator}.handle)
    AND earlier.merged_into IS DISTINCT FROM ${creator}.subject_id)
    AND (${creator}.host = ANY (${hosts}) OR NOT EXISTS (SELECT FROM subject_alias bare
    WHERE bare.label = '@' || lower(${creator}.handle) AND bare.subject_type = 'creator'
    AND bare.subject_id <> ${creator}.subject_id)))`;
}

/**
 * Returns SQL for a handle that resolves to this creator: the bare handle if it is unambiguous, otherwise
 * `host:handle`.
 */
export function publicHandle(creator: string, hosts: string): string {
  return `CASE WHEN ${holdsBareHandle(creator, hosts)} THEN ${creator}.handle ELSE ${creator}.host || ':' || ${creator}.handle END`;
}

/**
 * Fields of a path except the subject type, which the caller knows. Fields that do not apply to the subject are null.
 */
export type StoredPathParts = Omit<PathParts, 'type'>;

/** Groups the ids of subjects by the table that has them, as `PATH_PARTS` reads them. */
export function idsByTable(subjects: readonly { id: string; type: SubjectType }[]) {
  const types = new Map(subjects.map(({ id, type }) => [id, type]));
  const idsOf = (...wanted: SubjectType[]) =>
    [...types].filter(([, type]) => wanted.includes(type)).map(([id]) => id);
  return {
    /** Ids of listings and artifacts, which the subject type does not distinguish. */
    repositories: idsOf('agent', 'skill'),
    creators: idsOf('creator'),
    accounts: idsOf('social_account', 'messaging_account'),
  };
}

/**
 * Unnests the ids of one kind from the row `c`. Comparing columns with an array directly would make PostgreSQL plan the
 * statement again each time.
 */
const eachOf = (kind: 'repositories' | 'creators' | 'accounts') =>
  `c CROSS JOIN LATERAL unnest(c.${kind}) AS asked(id)`;

/**
 * Selects `StoredPathParts` of the subjects in the rows `c (n, repositories, creators, accounts, hosts)`. Leaves out
 * unknown subjects and merged creators. Reads each table by its key: outer joins of all tables would take ten times as
 * long.
 */
export const PATH_PARTS = `SELECT c.n, l.subject_id AS id, l.agent_id AS "agentId", l.host, l.repository, NULL AS "artifactName", NULL AS handle,
      ${holdsBareRepository('l', 'c.hosts')} AS "holdsBareName"
    FROM ${eachOf('repositories')} JOIN listing l ON l.subject_id = asked.id
    UNION ALL SELECT c.n, a.subject_id, NULL, home.host, home.repository, a.name, NULL, ${holdsBareRepository('home', 'c.hosts')}
    FROM ${eachOf('repositories')} JOIN artifact a ON a.subject_id = asked.id JOIN listing home ON home.subject_id = a.listing_id
    UNION ALL SELECT c.n, m.subject_id, NULL, m.host, NULL, NULL, m.handle, ${holdsBareHandle('m', 'c.hosts')}
    FROM ${eachOf('creators')} JOIN creator m ON m.subject_id = asked.id AND m.merged_into IS NULL
    UNION ALL SELECT c.n, p.subject_id, NULL, p.platform, NULL, NULL, p.handle, false
    FROM ${eachOf('accounts')} JOIN platform_account p ON p.subject_id = asked.id`;
