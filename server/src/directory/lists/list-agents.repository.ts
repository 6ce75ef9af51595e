import type { Connection } from '../../database/connect.ts';
import { PLANNED_ANEW } from '../../database/statement-names.ts';
import { AGENT_COLUMNS, AGENT_TABLES } from '../agent-record.sql.ts';
import type { AgentRecord } from '../agent-record.ts';
import { ORDERS, type Sort, type Stretch, Values } from './list-agents-stretches.sql.ts';

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

/** The entries of one stretch of a list, in order. They are found by id first, and only those shown are read whole. */
export function readStretch(
  connection: Connection,
  filters: PageFilters,
  stretch: Stretch,
  window: StretchWindow,
): Promise<(AgentRecord & { sortName: string })[]> {
  const values = new Values();
  const order = ORDERS[filters.sort];
  const keys = filters.sort === 'name' ? 'name' : 'trust, confidence';
  const find = window.isSparse ? findAll : lookUpEach;
  const matching = `SELECT ${keys}, agent_id FROM listing ${conditions(filters, stretch, values, find)}`;
  // OFFSET 0 keeps the planner from walking an order's index in the hope of an early match: the words of a search are
  // often those of a name, and then the matches may all stand at the end.
  const source = window.isSparse ? `(${matching} OFFSET 0) AS matching` : `(${matching}) AS matching`;
  return connection.query(
    `${PLANNED_ANEW} WITH page AS MATERIALIZED (
       SELECT agent_id, row_number() OVER (ORDER BY ${order}) AS place FROM (
         SELECT * FROM ${source} ORDER BY ${order}
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
    `${PLANNED_ANEW} SELECT count(*) AS total FROM listing ${conditions(filters, stretch, values, findAll)}`,
    values.list,
  );
  return row?.total ?? 0;
}

const findAll = (search: string) =>
  `agent_id IN (SELECT agent_id FROM listing_words WHERE words @@ ${search}::tsquery)`;
// OFFSET 0 keeps the planner, which guesses how many match, from finding them all where the first few are enough.
const lookUpEach = (search: string) => `EXISTS (SELECT FROM listing_words w
  WHERE w.agent_id = listing.agent_id AND w.words @@ ${search}::tsquery OFFSET 0)`;

/** Truth values stand in the text: only so does the planner see that the index of verified entries fits. */
function conditions(
  filters: PageFilters,
  stretch: Stretch,
  values: Values,
  find: (search: string) => string,
): string {
  const all = [
    ...(filters.search === null ? [] : [find(values.add(filters.search))]),
    ...(filters.type === null ? [] : [`type = ${values.add(filters.type)}`]),
    ...(filters.verified === null ? [] : [filters.verified ? 'verified' : 'NOT verified']),
    ...(filters.tier === null ? [] : [`tier = ${values.add(filters.tier)}`]),
    ...(filters.category === null ? [] : [`category = ${values.add(filters.category)}`]),
    ...stretch(values),
  ];
  return all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`;
}
