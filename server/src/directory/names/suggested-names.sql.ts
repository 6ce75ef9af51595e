import { holdsBareHandle, holdsBareRepository } from '../../subjects/bare-name.condition.ts';
import { MOST_NEAR, type Named, nearNames, orderOf, popularNames, SHOWN } from './listed-names.sql.ts';

/** So many of each group are read: others want room too. */
const ROOM: Readonly<Record<Named | 'tag', number>> = { listing: 8, creator: 2, artifact: 2, tag: 1 };
const GROUPS = ['listing', 'creator', 'artifact'] as const;
const HOSTS = '($3::text[])';

/**
 * Of every group those whose name begins with `$1`. Names in their order are all that begin so where they end before as many
 * as are looked at; only else the most popular of the group are looked through.
 */
const BEST = `
found_best AS MATERIALIZED (
  SELECT asked.of, found.*
  FROM (VALUES ${GROUPS.map((of) => `('${of}', ${ROOM[of]})`).join(', ')}) AS asked (of, room)
  CROSS JOIN LATERAL (
    WITH near AS MATERIALIZED (${nearNames('asked.of', '$1')})
    SELECT subject_id, min(class) AS class, max(weight) AS weight FROM (
      TABLE near UNION ALL
      SELECT subject_id, weight, 1 FROM (${popularNames('asked.of', 'subject_id, weight, key')}) AS popular
      WHERE key ^@ $1 AND (SELECT count(*) FROM near) = ${MOST_NEAR}
    ) AS each GROUP BY subject_id ORDER BY class, weight DESC, subject_id LIMIT 5 * asked.room
  ) AS found)`;

/** What the path of a page is made of, from the tables of each group. */
const PATH_PARTS: Readonly<Record<Named, string>> = {
  listing: `l.agent_id, l.host, l.repository, NULL, NULL, ${holdsBareRepository('l', HOSTS)}`,
  creator: `NULL, c.host, NULL, NULL, c.handle, ${holdsBareHandle('c', HOSTS)}`,
  artifact: `NULL, l.host, l.repository, a.name, NULL, ${holdsBareRepository('l', HOSTS)}`,
};

function groupOf(of: Named): string {
  const shown = SHOWN[of];
  return `SELECT '${of}', row_number() OVER (ORDER BY ${orderOf(shown)}), best.subject_id,
    ${shown.type}, ${shown.name}, ${shown.about}, ${PATH_PARTS[of]}
  FROM (SELECT * FROM found_best WHERE of = '${of}') AS ${shown.from} ORDER BY 2 LIMIT ${ROOM[of]}`;
}

/** The commonest tag that begins with `$2`, as the database's statistics know them. */
const TAGS = `SELECT 'tag', row_number() OVER (ORDER BY share DESC, word), NULL, NULL, substr(word, 4), NULL,
    NULL, NULL, NULL, NULL, NULL, false
  FROM pg_stats CROSS JOIN LATERAL unnest(most_common_elems::text::text[], most_common_elem_freqs) AS common (word, share)
  WHERE schemaname = current_schema() AND tablename = 'listing_words' AND attname = 'words' AND word ^@ ('#t:' || $2)
  ORDER BY 2 LIMIT ${ROOM.tag}`;

/**
 * What begins with a text, in order within its group, with what the paths of pages are made of. `$1` is the text as a name,
 * `$2` as a tag, `$3` are the hosts of a naming. One statement, planned once for every text.
 */
export const SUGGESTED = `WITH ${BEST}
SELECT * FROM (${[...GROUPS.map(groupOf), TAGS].map((each) => `(${each})`).join('\nUNION ALL ')})
AS shown ("group", place, id, type, text, about, "agentId", host, repository, "artifactName", handle, "holdsBareName")
ORDER BY "group", place`;
