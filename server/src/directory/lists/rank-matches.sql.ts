import { chosen, conditions, type PageChoice } from './list-agents-page.sql.ts';
import { ORDERS, type Values } from './list-agents-stretches.sql.ts';

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
