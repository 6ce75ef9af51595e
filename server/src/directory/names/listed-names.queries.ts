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

/** Maximum popular names of a group that are read, however common a prefix or word is. */
const MAX_POPULAR = 1_000;

/** Maximum names of a group that are read by prefix. */
const MAX_NEAR = 300;

const HOSTS = '($2::text[])';

/** SQL for the subjects of one group, which are rows of the CTE `best`. */
interface Shown {
  from: string;
  name: string;
  /** Trust score, by which names of the same weight are sorted. */
  trust: string;
  /** Type, name, about, stars, verdict, and the fields of the page's path. */
  columns: string;
}

const SHOWN: Readonly<Record<NameGroup, Shown>> = {
  listing: {
    from: 'best JOIN listing l ON l.subject_id = best.subject_id JOIN listing_rank k ON k.subject_id = l.subject_id',
    name: 'l.name',
    trust: 'k.trust',
    columns: `l.type, l.name, l.repository, l.stars, k.verdict,
      l.agent_id, l.host, l.repository, NULL, NULL, ${holdsBareRepository('l', HOSTS)}`,
  },
  creator: {
    from: 'best JOIN creator c ON c.subject_id = best.subject_id AND c.merged_into IS NULL',
    name: 'coalesce(c.display_name, c.handle)',
    trust: 'NULL::float8',
    columns: `'creator', coalesce(c.display_name, c.handle), c.host || ':' || c.handle, NULL::int, NULL::text,
      NULL, c.host, NULL, NULL, c.handle, ${holdsBareHandle('c', HOSTS)}`,
  },
  artifact: {
    from: 'best JOIN artifact a ON a.subject_id = best.subject_id JOIN listing l ON l.subject_id = a.listing_id',
    name: 'a.name',
    trust: 'NULL::float8',
    columns: `a.type, a.name, l.repository, NULL::int, NULL::text,
      NULL, l.host, l.repository, a.name, NULL, ${holdsBareRepository('l', HOSTS)}`,
  },
};

/** Maximum suggestions per group, so that each group gets a share. */
const SUGGESTIONS = { listing: 8, creator: 2, artifact: 2 } satisfies Limits;
const MAX_TAGS = 1;
/** Maximum creators and artifacts that a search shows. */
const OTHER_RESULTS = { creator: 4, artifact: 4 } satisfies Limits;

/** Maximum results of each group that is searched. */
type Limits = Readonly<Partial<Record<NameGroup, number>>>;

/**
 * Selects names with prefix `$1` in each group. Reads names with this prefix in alphabetical order, up to a limit; if
 * the limit was reached, also searches the most popular names for the prefix. With `byWords`, always searches the most
 * popular names, for the prefix and for all words of the `tsquery` `$3`. If few of them match, the words are rare, and
 * all names are searched for the words.
 */
function bestNames(limits: Limits, byWords: boolean): string {
  const asked = Object.entries(limits).map(([of, most]) => `('${of}', ${most})`);
  const hasWords = 'words @@ $3::tsquery';
  const popular = byWords
    ? `key ^@ $1 OR ${hasWords}`
    : `key ^@ $1 AND (SELECT count(*) FROM near) = ${MAX_NEAR}`;
  const others = byWords
    ? `UNION ALL SELECT * FROM (SELECT subject_id, weight, 2 FROM listed_name
         WHERE (SELECT count(*) FROM popular) < asked.most AND of = asked.of AND ${hasWords} LIMIT ${MAX_POPULAR}) AS others`
    : '';
  return `found_best AS MATERIALIZED (
  SELECT asked.of, found.*
  FROM (VALUES ${asked.join(', ')}) AS asked (of, most)
  CROSS JOIN LATERAL (
    WITH near AS MATERIALIZED (
      SELECT subject_id, weight, CASE WHEN key = $1 THEN 0 ELSE 1 END AS class FROM listed_name
      WHERE of = asked.of AND key >= $1 AND key < $1 || U&'\\+10FFFF' ORDER BY key, weight DESC, subject_id LIMIT ${MAX_NEAR}),
    popular AS MATERIALIZED (
      SELECT subject_id, weight, CASE WHEN key ^@ $1 THEN 1 ELSE 2 END AS class FROM (
        SELECT * FROM listed_name WHERE of = asked.of ORDER BY weight DESC, key, subject_id LIMIT ${MAX_POPULAR}) AS top
      WHERE ${popular})
    SELECT subject_id, min(class) AS class, max(weight) AS weight
    FROM (TABLE near UNION ALL TABLE popular ${others}) AS each
    GROUP BY subject_id ORDER BY class, weight DESC, subject_id LIMIT 5 * asked.most
  ) AS found)`;
}

/**
 * Selects the best names, ordered within their group, with the fields of their pages' paths. `$1` is the result of
 * `nameKey` for the text, `$2` the hosts in order of precedence. `others` are SELECTs of further rows with these
 * columns.
 */
function shownNames(limits: Limits, byWords: boolean, others: readonly string[] = []): string {
  const groups = (Object.keys(limits) as NameGroup[]).map((of) => {
    const { from, name, trust, columns } = SHOWN[of];
    // Exact names first, then prefixes, then the rest; among these, popular and trusted ones first.
    const order = `best.class, best.weight DESC, ${trust} DESC NULLS LAST, length(${name}), lower(${name}), best.subject_id`;
    return `SELECT '${of}', row_number() OVER (ORDER BY ${order}), best.subject_id, ${columns}
      FROM (SELECT * FROM found_best WHERE of = '${of}') AS ${from} ORDER BY 2 LIMIT ${limits[of]}`;
  });
  return `WITH ${bestNames(limits, byWords)}
SELECT * FROM (${[...groups, ...others].map((each) => `(${each})`).join('\nUNION ALL ')})
AS shown ("group", place, id, type, text, about, stars, verdict, "agentId", host, repository, "artifactName", handle, "holdsBareName")
ORDER BY "group", place`;
}

/** Selects the most common tag with prefix `$3`. */
const TAGS = `SELECT 'tag', row_number() OVER (ORDER BY share DESC, word), NULL, NULL, substr(word, 4), NULL, NULL, NULL,
    NULL, NULL, NULL, NULL, NULL, false
  FROM ${COMMON_TAGS} AND word ^@ ('#t:' || $3)
  ORDER BY 2 LIMIT ${MAX_TAGS}`;

/** Selects suggestions. One statement with one plan for every text. */
const SUGGESTED = shownNames(SUGGESTIONS, false, [TAGS]);

/** Selects creators and artifacts. The best plan depends on how common the words are, so every call gets a fresh plan. */
const OTHERS = `${FRESH_PLAN} ${shownNames(OTHER_RESULTS, true)}`;

/** A subject found by its name, with the fields of its page's path. */
export interface NamedSubject extends PathParts {
  group: NameGroup;
  id: string;
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
): Promise<(NamedSubject | SuggestedTag)[]> {
  return connection.query(SUGGESTED, [key, hosts, tag]);
}

/**
 * Returns creators and artifacts with this name, then names with this prefix, then names with all the words; popular ones
 * first. `key` is the result of `nameKey`. The time does not grow with the number of names.
 */
export function findCreatorsAndArtifacts(
  connection: Connection,
  { key, words }: { key: string; words: string },
  { hosts }: PublicUrls,
): Promise<NamedSubject[]> {
  return connection.query(OTHERS, [key, hosts, words]);
}
