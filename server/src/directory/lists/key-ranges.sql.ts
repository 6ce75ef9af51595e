import type { Position } from './cursor.ts';

export type Sort = Position['sort'];

/**
 * ORDER BY clauses, identical to the indexes, so that a page is an index scan and never a sort of the table.
 * `score_asc` scans the same indexes backwards; entries without a score would then come first, so `keyRangesOf` moves
 * them to the end. `relevance` orders the entries after those ranked individually.
 */
export const ORDER_BY: Readonly<Record<Sort, string>> = {
  score_desc: 'trust DESC NULLS LAST, confidence DESC NULLS LAST, agent_id ASC',
  score_asc: 'trust ASC NULLS FIRST, confidence ASC NULLS FIRST, agent_id DESC',
  name: 'sort_name, agent_id',
  stars: 'stars DESC NULLS LAST, agent_id',
  updated: 'last_commit_at DESC NULLS LAST, agent_id',
  newest: 'listed_at DESC, agent_id',
  relevance: 'popularity DESC, agent_id',
};

/** Table to scan per sort order. Each has the filter columns: type, verified, tier, category and kind. */
export const SORT_TABLES: Readonly<Record<Sort, 'listing_rank' | 'listing_words' | 'listing_order'>> = {
  score_desc: 'listing_rank',
  score_asc: 'listing_rank',
  name: 'listing_words',
  stars: 'listing_order',
  updated: 'listing_order',
  newest: 'listing_order',
  relevance: 'listing_words',
};

/** Columns that a page selects to sort by, per sort order. */
export const SORT_KEYS: Readonly<Record<Sort, string>> = {
  score_desc: 'trust, confidence, agent_id',
  score_asc: 'trust, confidence, agent_id',
  name: 'sort_name, agent_id',
  stars: 'stars, agent_id',
  updated: 'last_commit_at, agent_id',
  newest: 'listed_at, agent_id',
  relevance: 'popularity, agent_id',
};

/** SQL for the text that a cursor stores of a page's last entry, from its row `l` or from `page`. */
export const CURSOR_KEYS: Readonly<Record<Sort, string>> = {
  score_desc: 'NULL',
  score_asc: 'NULL',
  name: 'lower(l.name)',
  stars: 'NULL',
  updated: 'utc_text(l.last_commit_at)',
  newest: 'utc_text(l.listed_at)',
  relevance: 'page.popularity::text',
};

/** Collects the parameters of a statement, so that its text contains only `$1`, `$2`, …. */
export class BindParameters {
  readonly list: unknown[] = [];

  /** Adds a value and returns its placeholder. */
  add(value: unknown): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }
}

/** Conditions for one key range: a part of a sort index whose entries follow one another. */
export type KeyRange = (values: BindParameters) => string[];

const EVERYTHING: KeyRange = () => [];
const SCORED: KeyRange = () => ['trust IS NOT NULL'];
const UNSCORED: KeyRange = () => ['trust IS NULL'];

/**
 * Splits a list, or the rest of it after a position, into consecutive key ranges of the sort index: entries with the
 * same score as the position, then those with the next scores, then those without a score. A single condition with OR
 * would scan the index from its start.
 */
export function keyRangesOf(sort: Sort, after: Position | null): KeyRange[] {
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
  const laterId = (values: BindParameters) => `agent_id ${later} ${values.add(agentId)}`;
  if (trust === null || confidence === null) return [(values) => [...UNSCORED(values), laterId(values)]];
  const score = (values: BindParameters) => `${values.add(trust)}::float8, ${values.add(confidence)}::float8`;
  return [
    (values) => [`(trust, confidence) = (${score(values)})`, laterId(values)],
    (values) => [...SCORED(values), `(trust, confidence) ${beyond} (${score(values)})`],
    UNSCORED,
  ];
}

/** Returns the key ranges after a position in a descending order by one column, with nulls last. */
function afterFalling(column: string, type: string, value: unknown, agentId: string): KeyRange[] {
  const unknown: KeyRange = () => [`${column} IS NULL`];
  const laterId = (values: BindParameters) => `agent_id > ${values.add(agentId)}`;
  if (value === null) return [(values) => [...unknown(values), laterId(values)]];
  const last = (values: BindParameters) => `${values.add(value)}::${type}`;
  return [
    (values) => [`${column} = ${last(values)}`, laterId(values)],
    (values) => [`${column} < ${last(values)}`],
    unknown,
  ];
}

function afterPopular({ popularity, agentId }: Position & { sort: 'relevance' }): KeyRange[] {
  return [
    (values) => [`popularity = ${values.add(popularity)}`, `agent_id > ${values.add(agentId)}`],
    (values) => [`popularity < ${values.add(popularity)}`],
  ];
}

function afterName({ name, agentId }: Position & { sort: 'name' }): KeyRange {
  return (values) => {
    const id = values.add(agentId);
    const last = `coalesce(${values.add(name)}, (SELECT lower(name) FROM listing WHERE agent_id = ${id}))`;
    return [`(sort_name, agent_id) > (${last}, ${id})`];
  };
}
