import { ORDERS, type Values } from './list-agents-stretches.sql.ts';
import { chosen, conditions, found, type PageChoice } from './list-conditions.sql.ts';
import type { PageSearch } from './list-query.ts';

/** How far is looked for the best matches of a search. */
export interface RankBounds {
  /** So many are ranked one by one, at most. */
  ranked: number;
  /** A class is looked at whole where it has no more than so many. */
  whole: number;
  /** Of a larger one, those among so many of the most popular listings of all. */
  popular: number;
}

/**
 * The best matches of a search, best first. Its classes are looked at one after the other, and none any more once there
 * are enough, or behind one that could not be looked at whole: a word that half the directory has costs little more than
 * a rare one.
 */
export function rankMatches(
  classes: readonly string[],
  choice: PageChoice,
  { ranked, whole, popular }: RankBounds,
  values: Values,
): string {
  const bounds = { ranked: values.add(ranked), whole: values.add(whole), popular: values.add(popular) };
  const choices = chosen(choice, values);
  const parts = classes.map((search, at) =>
    partOf(at, [`(words @@ ${values.add(search)}::tsquery)`, ...choices], bounds),
  );
  const all = classes.map((_, at) => `SELECT *, ${at} AS class FROM class_${at}`).join(' UNION ALL ');
  return `WITH ${parts.join(', ')}
SELECT found.agent_id AS "agentId", subject_id AS "subjectId", popularity
FROM (${all}) AS found JOIN listing_rank USING (subject_id)
ORDER BY class, popularity DESC, trust DESC NULLS LAST, found.agent_id LIMIT ${bounds.ranked}`;
}

/**
 * The best matches of a search that finds few, best first: the index is asked once, and the class of each told by its words.
 * Six questions to the index cost six times as much, however little they find.
 */
export function rankFewMatches(
  search: PageSearch,
  choice: PageChoice,
  { ranked }: RankBounds,
  values: Values,
): string {
  const most = values.add(ranked);
  const classes = search.classes.map((each, at) => `WHEN words @@ ${values.add(each)}::tsquery THEN ${at}`);
  return `WITH found AS MATERIALIZED (
  SELECT ${COLUMNS}, CASE ${classes.join(' ')} END AS class FROM listing_words
  ${conditions([...found(search, values), ...chosen(choice, values)])})
SELECT best.agent_id AS "agentId", subject_id AS "subjectId", popularity
FROM (SELECT *, rank() OVER (ORDER BY class, popularity DESC) AS rank FROM found) AS best JOIN listing_rank USING (subject_id)
WHERE rank <= ${most} ORDER BY class, popularity DESC, trust DESC NULLS LAST, best.agent_id LIMIT ${most}`;
}

const COLUMNS = 'subject_id, agent_id, popularity';

function partOf(at: number, match: readonly string[], bounds: Record<keyof RankBounds, string>): string {
  const before = Array.from({ length: at }, (_, place) => place);
  const isFull = [...before.map((place) => `(SELECT count(*) FROM class_${place})`), '0'].join(' + ');
  const isLeft = [
    `${isFull} < ${bounds.ranked}`,
    ...before.map((place) => `(SELECT count(*) FROM few_${place}) <= ${bounds.whole}`),
  ].join(' AND ');
  const isNew = before.map((place) => `subject_id NOT IN (SELECT subject_id FROM class_${place})`);
  const [search = '', ...choices] = match;
  // found: a CTE is planned for all of its rows, and read only as far as somebody asks. IS TRUE: of a truth value alone no
  // index knows anything, so that the walk is one.
  return `found_${at} AS MATERIALIZED (SELECT ${COLUMNS} FROM listing_words ${conditions(match)}),
few_${at} AS MATERIALIZED (SELECT * FROM found_${at} LIMIT CASE WHEN ${isLeft} THEN ${bounds.whole} + 1 ELSE 0 END),
class_${at} AS MATERIALIZED (SELECT * FROM (
    SELECT * FROM few_${at} WHERE (SELECT count(*) FROM few_${at}) <= ${bounds.whole}
    UNION ALL SELECT ${COLUMNS} FROM
      (SELECT * FROM listing_words ORDER BY ${ORDERS.relevance} LIMIT ${bounds.popular}) AS walked
      ${conditions([`${search} IS TRUE`, ...choices, `(SELECT count(*) FROM few_${at}) > ${bounds.whole}`])}
  ) AS matching ${conditions(isNew)} ORDER BY ${ORDERS.relevance} LIMIT ${bounds.ranked})`;
}
