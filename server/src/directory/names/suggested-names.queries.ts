import { holdsBareHandle, holdsBareRepository } from '../../catalog/subjects/found-subject.fragment.ts';
import type { PathParts, PublicUrls } from '../../catalog/subjects/public-path.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { NameGroup } from './listed-names.queries.ts';
import { MAX_NEAR, nearNames, orderOf, popularNames, SHOWN } from './listed-names.queries.ts';

/** Maximum results per group, so that each group gets a share. */
const LIMITS: Readonly<Record<NameGroup | 'tag', number>> = { listing: 8, creator: 2, artifact: 2, tag: 1 };

const GROUPS = ['listing', 'creator', 'artifact'] as const;

const HOSTS = '($3::text[])';

/**
 * Selects names with prefix `$1` in each group. Names in alphabetical order are complete if fewer than the limit match;
 * only otherwise are the most popular names searched too.
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
    ${shown.type}, ${shown.name}, ${shown.about}, ${PATH_PARTS[of]}
  FROM (SELECT * FROM found_best WHERE of = '${of}') AS ${shown.from} ORDER BY 2 LIMIT ${LIMITS[of]}`;
}

/** Selects the most common tag with prefix `$2`, from PostgreSQL's statistics. */
const TAGS = `SELECT 'tag', row_number() OVER (ORDER BY share DESC, word), NULL, NULL, substr(word, 4), NULL,
    NULL, NULL, NULL, NULL, NULL, false
  FROM pg_stats CROSS JOIN LATERAL unnest(most_common_elems::text::text[], most_common_elem_freqs) AS common (word, share)
  WHERE schemaname = current_schema() AND tablename = 'listing_words' AND attname = 'words' AND word ^@ ('#t:' || $2)
  ORDER BY 2 LIMIT ${LIMITS.tag}`;

/**
 * Selects suggestions, ordered within their group, with the fields of their pages' paths. `$1` is the text as a name,
 * `$2` as a tag, `$3` the host order. One statement with one plan for every text.
 */
const SUGGESTED = `WITH ${BEST}
SELECT * FROM (${[...GROUPS.map(groupOf), TAGS].map((each) => `(${each})`).join('\nUNION ALL ')})
AS shown ("group", place, id, type, text, about, "agentId", host, repository, "artifactName", handle, "holdsBareName")
ORDER BY "group", place`;

/** A subject whose name begins with the text, with the fields of its page's path. */
export interface SuggestedSubject extends PathParts {
  group: NameGroup;
  /** Display name of the subject. */
  text: string;
  /** Repository of a listing or artifact; `host:handle` of a creator. */
  about: string;
}

/** A tag that begins with the text. */
export interface SuggestedTag {
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
