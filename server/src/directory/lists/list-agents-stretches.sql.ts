import type { Position } from './cursor.ts';

export type Sort = Position['sort'];

/**
 * The orders as the indexes have them, word for word: a page is a walk along an index and never a sort of the table.
 * `score_asc` is the same indexes walked backwards. Walked so, entries without a score would come first: `stretchesOf`
 * puts them last. By relevance: those behind the ones that are ranked one by one.
 */
export const ORDERS: Readonly<Record<Sort, string>> = {
  score_desc: 'trust DESC NULLS LAST, confidence DESC NULLS LAST, agent_id ASC',
  score_asc: 'trust ASC NULLS FIRST, confidence ASC NULLS FIRST, agent_id DESC',
  name: 'sort_name, agent_id',
  stars: 'stars DESC NULLS LAST, agent_id',
  updated: 'last_commit_at DESC NULLS LAST, agent_id',
  newest: 'listed_at DESC, agent_id',
  relevance: 'popularity DESC, agent_id',
};

/** The narrow rows that an order is walked along. Each table holds what lists are chosen by: type, owner's state, tier, category and kind. */
export const ORDERED: Readonly<Record<Sort, 'listing_rank' | 'listing_words' | 'listing_order'>> = {
  score_desc: 'listing_rank',
  score_asc: 'listing_rank',
  name: 'listing_words',
  stars: 'listing_order',
  updated: 'listing_order',
  newest: 'listing_order',
  relevance: 'listing_words',
};

/** What an order goes by. */
export const KEYS: Readonly<Record<Sort, string>> = {
  score_desc: 'trust, confidence, agent_id',
  score_asc: 'trust, confidence, agent_id',
  name: 'sort_name, agent_id',
  stars: 'stars, agent_id',
  updated: 'last_commit_at, agent_id',
  newest: 'listed_at, agent_id',
  relevance: 'popularity, agent_id',
};

/** What a cursor carries of the last entry, from its whole row `l` or its place `page`, as text. */
export const CURSOR_KEYS: Readonly<Record<Sort, string>> = {
  score_desc: 'NULL',
  score_asc: 'NULL',
  name: 'lower(l.name)',
  stars: 'NULL',
  updated: 'utc_text(l.last_commit_at)',
  newest: 'utc_text(l.listed_at)',
  relevance: 'page.popularity::text',
};

/** Collects the values of one statement, so that SQL text only ever holds `$1`, `$2`, …. */
export class Values {
  readonly list: unknown[] = [];

  /** Notes a value and answers what stands for it in the text. */
  add(value: unknown): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }
}

/** Conditions that hold for one range of an order's index. */
export type Stretch = (values: Values) => string[];

const EVERYTHING: Stretch = () => [];
const SCORED: Stretch = () => ['trust IS NOT NULL'];
const UNSCORED: Stretch = () => ['trust IS NULL'];

/**
 * A list, or what follows a position in it, as ranges of the order's index, one after the other: the rest of the entries
 * with the same score, those beyond it, those without a score. One condition with OR would walk the index from its start.
 */
export function stretchesOf(sort: Sort, after: Position | null): Stretch[] {
  if (after === null) return sort === 'score_asc' ? [SCORED, UNSCORED] : [EVERYTHING];
  if (after.sort === 'name') return [afterName(after)];
  if (after.sort === 'stars') return afterFalling('stars', 'bigint', after.stars, after.agentId);
  if (after.sort === 'relevance') {
    return after.place === null ? afterPopular(after) : [EVERYTHING];
  }
  if ('at' in after) {
    const column = after.sort === 'updated' ? 'last_commit_at' : 'listed_at';
    return afterFalling(column, 'timestamptz', after.at, after.agentId);
  }
  const { trust, confidence, agentId } = after;
  const [beyond, later] = after.sort === 'score_desc' ? (['<', '>'] as const) : (['>', '<'] as const);
  const laterId = (values: Values) => `agent_id ${later} ${values.add(agentId)}`;
  if (trust === null || confidence === null) return [(values) => [...UNSCORED(values), laterId(values)]];
  const score = (values: Values) => `${values.add(trust)}::float8, ${values.add(confidence)}::float8`;
  return [
    (values) => [`(trust, confidence) = (${score(values)})`, laterId(values)],
    (values) => [...SCORED(values), `(trust, confidence) ${beyond} (${score(values)})`],
    UNSCORED,
  ];
}

/** What follows in an order that falls by one column, where those without a value come last. */
function afterFalling(column: string, type: string, value: unknown, agentId: string): Stretch[] {
  const unknown: Stretch = () => [`${column} IS NULL`];
  const laterId = (values: Values) => `agent_id > ${values.add(agentId)}`;
  if (value === null) return [(values) => [...unknown(values), laterId(values)]];
  const last = (values: Values) => `${values.add(value)}::${type}`;
  return [
    (values) => [`${column} = ${last(values)}`, laterId(values)],
    (values) => [`${column} < ${last(values)}`],
    unknown,
  ];
}

function afterPopular({ popularity, agentId }: Position & { sort: 'relevance' }): Stretch[] {
  return [
    (values) => [`popularity = ${values.add(popularity)}`, `agent_id > ${values.add(agentId)}`],
    (values) => [`popularity < ${values.add(popularity)}`],
  ];
}

function afterName({ name, agentId }: Position & { sort: 'name' }): Stretch {
  return (values) => {
    const id = values.add(agentId);
    const last = `coalesce(${values.add(name)}, (SELECT lower(name) FROM listing WHERE agent_id = ${id}))`;
    return [`(sort_name, agent_id) > (${last}, ${id})`];
  };
}
