import { holdsBareHandle, holdsBareRepository } from '../../catalog/subjects/found-subject.fragment.ts';
import type { PathParts, PublicUrls } from '../../catalog/subjects/public-path.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { FRESH_PLAN } from '../../platform/database/send-statement.ts';
import type { VerdictState } from '../../scoring/verdict/verdict.ts';
import { COMMON_TAGS } from '../lists/count-by-filter.queries.ts';

const KEY_CHARACTERS = 200;

/** Normalises a name for comparison (NFKC, lower case), like the database's `name_key`. */
export function nameKey(text: string): string {
  return [...text.trim().normalize('NFKC').toLowerCase()].slice(0, KEY_CHARACTERS).join('');
}

/** Group of subjects whose names are searched. */
export type NameGroup = 'listing' | 'creator' | 'artifact';

/** Maximum popular names read, however common a prefix or word is. */
const MAX_POPULAR = 1_000;

/** Maximum names read by prefix. */
const MAX_NEAR = 300;

/** Selects the first names with a prefix: exact matches by popularity, then the others alphabetically. */
function nearNames(of: string, key: string): string {
  return `SELECT subject_id, weight, CASE WHEN key = ${key} THEN 0 ELSE 1 END AS class FROM listed_name
    WHERE of = ${of} AND key >= ${key} AND key < ${key} || U&'\\+10FFFF' ORDER BY key, weight DESC, subject_id LIMIT ${MAX_NEAR}`;
}

/** Selects these columns of a group's most popular names. */
function popularNames(of: string, columns: string): string {
  return `SELECT ${columns} FROM listed_name WHERE of = ${of} ORDER BY weight DESC, key, subject_id LIMIT ${MAX_POPULAR}`;
}

/** SQL for the displayed fields of the subjects of one group. The subjects are rows of the CTE `best`. */
interface Shown {
  from: string;
  type: string;
  name: string;
  about: string;
  trust: string;
  stars: string;
  verdict: string;
}

/** Null values for the fields that only listings have. */
const NONE = { trust: 'NULL::float8', stars: 'NULL::int', verdict: 'NULL::text' };

const SHOWN: Readonly<Record<NameGroup, Shown>> = {
  listing: {
    from: 'best JOIN listing l ON l.subject_id = best.subject_id JOIN listing_rank k ON k.subject_id = l.subject_id',
    type: 'l.type',
    name: 'l.name',
    about: 'l.repository',
    trust: 'k.trust',
    stars: 'l.stars',
    verdict: 'k.verdict',
  },
  creator: {
    from: 'best JOIN creator c ON c.subject_id = best.subject_id AND c.merged_into IS NULL',
    type: "'creator'",
    name: 'coalesce(c.display_name, c.handle)',
    about: "c.host || ':' || c.handle",
    ...NONE,
  },
  artifact: {
    from: 'best JOIN artifact a ON a.subject_id = best.subject_id JOIN listing l ON l.subject_id = a.listing_id',
    type: 'a.type',
    name: 'a.name',
    about: 'l.repository',
    ...NONE,
  },
};

/** Returns the sort order of a group: exact names, then prefixes, then the rest; popular and trusted ones first. */
function orderOf({ name, trust }: Shown): string {
  return `best.class, best.weight DESC, ${trust} DESC NULLS LAST, length(${name}), lower(${name}), best.subject_id`;
}

/** A subject found by name. */
export interface NamedSubject {
  id: string;
  type: 'agent' | 'skill' | 'creator';
  /** Display name of the subject. */
  name: string;
  /** Repository of a listing or artifact; `host:handle` of a creator. */
  about: string;
}

const CANDIDATES = `
near AS MATERIALIZED (${nearNames('$1', '$2')}),
popular AS MATERIALIZED (SELECT subject_id, weight, CASE WHEN key ^@ $2 THEN 1 ELSE 2 END AS class
  FROM (${popularNames('$1', 'subject_id, weight, key, words')}) AS top WHERE key ^@ $2 OR words @@ $3::tsquery),
-- Searches all names only if few of the popular names match, because the words are then rare among all names, too.
worded AS MATERIALIZED (SELECT subject_id, weight, 2 AS class FROM listed_name
  WHERE (SELECT count(*) FROM popular) < $4 AND of = $1 AND words @@ $3::tsquery LIMIT ${MAX_POPULAR}),
best AS MATERIALIZED (SELECT subject_id, min(class) AS class, max(weight) AS weight
  FROM (TABLE near UNION ALL TABLE popular UNION ALL TABLE worded) AS each
  GROUP BY subject_id ORDER BY class, weight DESC, subject_id LIMIT 5 * $4)`;

/**
 * Returns subjects with this name, then names with this prefix, then names with all the words; popular ones first.
 * `key` is the result of `nameKey`. The time does not grow with the number of names.
 */
export function findNames(
  connection: Connection,
  of: NameGroup,
  { key, words, most }: { key: string; words: string; most: number },
): Promise<NamedSubject[]> {
  const shown = SHOWN[of];
  return connection.query<NamedSubject>(
    `${FRESH_PLAN} WITH ${CANDIDATES}
     SELECT best.subject_id AS id, ${shown.type} AS type, ${shown.name} AS name, ${shown.about} AS about
     FROM ${shown.from} ORDER BY ${orderOf(shown)} LIMIT $4`,
    [of, key, words, most],
  );
}

/** Maximum results per group, so that each group gets a share. */
const LIMITS: Readonly<Record<NameGroup | 'tag', number>> = { listing: 8, creator: 2, artifact: 2, tag: 1 };

const GROUPS = ['listing', 'creator', 'artifact'] as const;

const HOSTS = '($3::text[])';

/**
 * Selects names with prefix `$1` in each group. Reads names with this prefix in alphabetical order, up to a limit. Only
 * if the limit was reached, also searches the most popular names for the prefix.
 */
const BEST = `
found_best AS MATERIALIZED (
  SELECT asked.of, found.*
  FROM (VALUES ${GROUPS.map((of) => `('${of}', ${LIMITS[of]})`).join(', ')}) AS asked (of, most)
  CROSS JOIN LATERAL (
    WITH near AS MATERIALIZED (${nearNames('asked.of', '$1')})
    SELECT subject_id, min(class) AS class, max(weight) AS weight FROM (
      TABLE near UNION ALL
      SELECT subject_id, weight, 1 FROM (${popularNames('asked.of', 'subject_id, weight, key')}) AS popular
      WHERE key ^@ $1 AND (SELECT count(*) FROM near) = ${MAX_NEAR}
    ) AS each GROUP BY subject_id ORDER BY class, weight DESC, subject_id LIMIT 5 * asked.most
  ) AS found)`;

/** Columns of a page's path, by group. */
const PATH_PARTS: Readonly<Record<NameGroup, string>> = {
  listing: `l.agent_id, l.host, l.repository, NULL, NULL, ${holdsBareRepository('l', HOSTS)}`,
  creator: `NULL, c.host, NULL, NULL, c.handle, ${holdsBareHandle('c', HOSTS)}`,
  artifact: `NULL, l.host, l.repository, a.name, NULL, ${holdsBareRepository('l', HOSTS)}`,
};

function groupOf(of: NameGroup): string {
  const shown = SHOWN[of];
  return `SELECT '${of}', row_number() OVER (ORDER BY ${orderOf(shown)}), best.subject_id,
    ${shown.type}, ${shown.name}, ${shown.about}, ${shown.stars}, ${shown.verdict},
    ${PATH_PARTS[of]}
  FROM (SELECT * FROM found_best WHERE of = '${of}') AS ${shown.from} ORDER BY 2 LIMIT ${LIMITS[of]}`;
}

/** Selects the most common tag with prefix `$2`. */
const TAGS = `SELECT 'tag', row_number() OVER (ORDER BY share DESC, word), NULL, NULL, substr(word, 4), NULL, NULL, NULL,
    NULL, NULL, NULL, NULL, NULL, false
  FROM ${COMMON_TAGS} AND word ^@ ('#t:' || $2)
  ORDER BY 2 LIMIT ${LIMITS.tag}`;

/**
 * Selects suggestions, ordered within their group, with the fields of their pages' paths. `$1` is the text as a name,
 * `$2` as a tag, `$3` the host order. One statement with one plan for every text.
 */
const SUGGESTED = `WITH ${BEST}
SELECT * FROM (${[...GROUPS.map(groupOf), TAGS].map((each) => `(${each})`).join('\nUNION ALL ')})
AS shown ("group", place, id, type, text, about, stars, verdict, "agentId", host, repository, "artifactName", handle, "holdsBareName")
ORDER BY "group", place`;

/** A subject whose name begins with the text, with the fields of its page's path. */
export interface SuggestedSubject extends PathParts {
  group: NameGroup;
  /** Display name of the subject. */
  text: string;
  /** Repository of a listing or artifact; `host:handle` of a creator. */
  about: string;
  /** Null if unknown, and for subjects other than listings. */
  stars: number | null;
  verdict: VerdictState | null;
}

/** A tag that begins with the text. */
interface SuggestedTag {
  group: 'tag';
  text: string;
}

/** Returns names and tags that begin with the text, best first within each group. */
export function findSuggested(
  connection: Connection,
  { key, tag }: { key: string; tag: string },
  { hosts }: PublicUrls,
): Promise<(SuggestedSubject | SuggestedTag)[]> {
  return connection.query(SUGGESTED, [key, tag, hosts]);
}
