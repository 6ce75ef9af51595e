import type { Connection } from '../../database/connect.ts';
import { PLANNED_ANEW } from '../../database/statement-names.ts';
import { AGENT_COLUMNS, AGENT_TABLES } from '../agent-record.sql.ts';
import type { AgentRecord } from '../agent-record.ts';
import { ORDERED, ORDERS, type Sort, type Stretch, Values } from './list-agents-stretches.sql.ts';

export interface PageFilters {
  /** A tsquery, or null for every entry. */
  search: string | null;
  type: string | null;
  verified: boolean | null;
  tier: string | null;
  category: string | null;
  sort: Sort;
}

export interface StretchWindow {
  offset: number;
  limit: number;
  /** Few entries match a search: find them all and sort them. Else walk along the order and look at each. */
  isSparse: boolean;
}

/** Up to so many entries from the start are read of every range that a choice of filters is made of. */
const MOST_MERGED = 1_000;

/** The entries of one stretch of a list, in order. They are found by id first, and only those shown are read whole. */
export function readStretch(
  connection: Connection,
  filters: PageFilters,
  stretch: Stretch,
  window: StretchWindow,
): Promise<(AgentRecord & { sortName: string })[]> {
  const values = new Values();
  const order = ORDERS[filters.sort];
  const source = sourceOf(filters, stretch, window, values);
  return connection.query(
    `${PLANNED_ANEW} WITH page AS MATERIALIZED (
       SELECT agent_id, row_number() OVER (ORDER BY ${order}) AS place FROM (
         SELECT * FROM (${source}) AS matching ORDER BY ${order}
         LIMIT ${values.add(window.limit)} OFFSET ${values.add(window.offset)}) AS walked)
     SELECT ${AGENT_COLUMNS}, lower(l.name) AS "sortName"
     FROM page JOIN (${AGENT_TABLES}) ON l.agent_id = page.agent_id ORDER BY page.place`,
    values.list,
  );
}

/** How many entries a stretch holds. */
export async function countStretch(
  connection: Connection,
  filters: PageFilters,
  stretch: Stretch,
): Promise<number> {
  const values = new Values();
  const [row] = await connection.query<{ total: number }>(
    `${PLANNED_ANEW} SELECT count(*) AS total FROM ${ORDERED[filters.sort]}
     ${conditions([...searched(filters, true, values), ...chosen(filters, values), ...stretch(values)])}`,
    values.list,
  );
  return row?.total ?? 0;
}

/** What holds a stretch's first entries, and what of them the order needs. */
function sourceOf(filters: PageFilters, stretch: Stretch, window: StretchWindow, values: Values): string {
  const { sort, search } = filters;
  const find = `SELECT ${sort === 'name' ? 'sort_name' : 'trust, confidence'}, agent_id FROM ${ORDERED[sort]}`;
  const choice = chosen(filters, values);
  const isMerged = search === null && choice.length > 0 && window.offset + window.limit <= MOST_MERGED;
  if (isMerged) {
    // Each range of what is chosen is in order already: its first entries are enough, wherever in the order they stand.
    const most = values.add(window.offset + window.limit);
    return `SELECT each.* FROM (SELECT DISTINCT type, verified, tier, category FROM listing_total ${conditions(choice)}) AS facet
      CROSS JOIN LATERAL (${find} AS o ${conditions([SAME_FACET, ...stretch(values)])}
        ORDER BY ${ORDERS[sort]} LIMIT ${most}) AS each`;
  }
  const walked = `${find} ${conditions([...searched(filters, window.isSparse, values), ...choice, ...stretch(values)])}`;
  // OFFSET 0 keeps the planner from walking an order's index in the hope of an early match: the words of a search are
  // often those of a name, and then the matches may all stand at the end.
  return search !== null && window.isSparse ? `${walked} OFFSET 0` : walked;
}

const SAME_FACET =
  'o.type = facet.type AND o.verified = facet.verified AND o.tier = facet.tier AND o.category = facet.category';

/** The condition of a search: all that match are found at once, or each entry on the way is looked at. */
function searched({ sort, search }: PageFilters, findsAll: boolean, values: Values): string[] {
  if (search === null) return [];
  const match = `words @@ ${values.add(search)}::tsquery`;
  // Of a truth value alone no index knows anything: the order's is left.
  if (sort === 'name') return [findsAll ? match : `(${match}) IS TRUE`];
  if (findsAll) return [`subject_id IN (SELECT subject_id FROM listing_words WHERE ${match})`];
  // OFFSET 0 keeps the planner, which guesses how many match, from finding them all where the first few are enough.
  return [
    `EXISTS (SELECT FROM listing_words w WHERE w.subject_id = listing_rank.subject_id AND w.${match} OFFSET 0)`,
  ];
}

function chosen({ type, verified, tier, category }: PageFilters, values: Values): string[] {
  return [
    ...(type === null ? [] : [`type = ${values.add(type)}`]),
    ...(verified === null ? [] : [verified ? 'verified' : 'NOT verified']),
    ...(tier === null ? [] : [`tier = ${values.add(tier)}`]),
    ...(category === null ? [] : [`category = ${values.add(category)}`]),
  ];
}

function conditions(all: readonly string[]): string {
  return all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`;
}
