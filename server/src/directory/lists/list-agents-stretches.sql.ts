import type { Position } from './cursor.ts';

export type Sort = Position['sort'];

/**
 * The orders as the indexes have them, word for word: a page is a walk along an index and never a sort of the table.
 * `score_asc` is the same indexes walked backwards. Walked so, entries without a score would come first: `stretchesOf`
 * puts them last.
 */
export const ORDERS: Readonly<Record<Sort, string>> = {
  score_desc: 'trust DESC NULLS LAST, confidence DESC NULLS LAST, agent_id ASC',
  score_asc: 'trust ASC NULLS FIRST, confidence ASC NULLS FIRST, agent_id DESC',
  name: 'sort_name, agent_id',
};

/** The narrow rows that an order is walked along. Either table holds all that lists are filtered by. */
export const ORDERED: Readonly<Record<Sort, 'listing_rank' | 'listing_words'>> = {
  score_desc: 'listing_rank',
  score_asc: 'listing_rank',
  name: 'listing_words',
};

/** What an order goes by. */
export const KEYS: Readonly<Record<Sort, string>> = {
  score_desc: 'trust, confidence, agent_id',
  score_asc: 'trust, confidence, agent_id',
  name: 'sort_name, agent_id',
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

function afterName({ name, agentId }: Position & { sort: 'name' }): Stretch {
  return (values) => {
    const id = values.add(agentId);
    const last = `coalesce(${values.add(name)}, (SELECT lower(name) FROM listing WHERE agent_id = ${id}))`;
    return [`(sort_name, agent_id) > (${last}, ${id})`];
  };
}
