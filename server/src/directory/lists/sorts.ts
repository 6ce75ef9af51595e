import { isUtcText } from '../../platform/text/request-text.ts';
import {
  afterFalling,
  afterName,
  afterScore,
  EVERYTHING,
  type KeyRange,
  RISING_SCORES,
  type ScoreKeys,
} from './key-ranges.sql.ts';

/** The last entry of a page, from which a cursor takes its sort keys. */
interface LastRow {
  trust: number | null;
  confidence: number | null;
  stars: number | null;
  /** Text that the sort's `cursorKey` selected. */
  cursorKey: string | null;
  /** Position among the entries that relevance ranks individually; null or absent for the entries after those. */
  place?: number | null;
}

interface SortEntry<Keys extends readonly unknown[] = readonly unknown[]> {
  /** Label on the list page. */
  readonly label: string;
  /** Table to scan. Each has the columns of the filters. */
  readonly table: 'listing_rank' | 'listing_words' | 'listing_order';
  /** Columns that a page selects to sort by. */
  readonly columns: string;
  /**
   * ORDER BY clause with the columns of an index of the table, in the index's order or the reverse, so that PostgreSQL
   * can read a page by an index scan instead of sorting the table.
   */
  readonly orderBy: string;
  /** SQL for the text that a cursor stores for the last entry of a page; `l` is the entry's listing. */
  readonly cursorKey: string;
  /** Key ranges of the whole list, in order. */
  readonly whole: readonly KeyRange[];
  /** Returns the sort keys of a page's last entry, as a cursor stores them. */
  keysOf(row: LastRow): Keys;
  /** Validates the keys of a cursor: clients can change them, and PostgreSQL would fail on some values. */
  isKeys(keys: readonly unknown[]): keys is Keys;
  /** Returns the key ranges after an entry with these keys. */
  after(keys: Keys, agentId: string): KeyRange[];
}

/** All sort orders, as the list page offers them. Cursors, statements and menus derive from this table. */
export const SORTS = {
  /** Relevance: orders only the entries after those that are ranked individually. */
  relevance: defineSort<readonly [place: number | null, popularity: number]>({
    label: 'Best match',
    table: 'listing_words',
    columns: 'popularity, agent_id',
    orderBy: 'popularity DESC, agent_id',
    cursorKey: 'page.popularity::text',
    whole: [EVERYTHING],
    keysOf: ({ place = null, cursorKey }) => [place, Number(cursorKey)],
    isKeys: (keys): keys is [number | null, number] =>
      keys.length === 2 && (keys[0] === null || isSmallInteger(keys[0])) && isSmallInteger(keys[1]),
    after: ([place, popularity], agentId) =>
      place === null ? afterFalling('popularity', 'smallint', popularity, agentId) : [EVERYTHING],
  }),
  score_desc: defineSort<ScoreKeys>({
    label: 'Most trusted',
    table: 'listing_rank',
    columns: 'trust, confidence, agent_id',
    orderBy: 'trust DESC NULLS LAST, confidence DESC NULLS LAST, agent_id ASC',
    cursorKey: 'NULL',
    whole: [EVERYTHING],
    keysOf: ({ trust, confidence }) => [trust, confidence],
    isKeys: isScoreKeys,
    after: (keys, agentId) => afterScore('falling', keys, agentId),
  }),
  stars: defineSort<readonly [stars: number | null]>({
    label: 'Most stars',
    table: 'listing_order',
    columns: 'stars, agent_id',
    orderBy: 'stars DESC NULLS LAST, agent_id',
    cursorKey: 'NULL',
    whole: [EVERYTHING],
    keysOf: ({ stars }) => [stars],
    isKeys: (keys): keys is [number | null] =>
      keys.length === 1 && (keys[0] === null || Number.isSafeInteger(keys[0])),
    after: ([stars], agentId) => afterFalling('stars', 'bigint', stars, agentId),
  }),
  updated: byTime('Latest commit', 'last_commit_at', 'last_commit_at DESC NULLS LAST, agent_id'),
  newest: byTime('Recently added', 'listed_at', 'listed_at DESC, agent_id'),
  /** Orders by the name in lower case. The cursor key is the lower-case name as PostgreSQL returned it. */
  name: defineSort<readonly [name: string | null]>({
    label: 'Name',
    table: 'listing_words',
    columns: 'sort_name, agent_id',
    orderBy: 'sort_name, agent_id',
    cursorKey: 'lower(l.name)',
    whole: [EVERYTHING],
    keysOf: ({ cursorKey }) => [shortName(cursorKey)],
    isKeys: (keys): keys is [string | null] => keys.length === 1 && (keys[0] === null || isStorable(keys[0])),
    after: ([name], agentId) => [afterName(name, agentId)],
  }),
  /** Scans the index of `score_desc` backwards. */
  score_asc: defineSort<ScoreKeys>({
    label: 'Least trusted',
    table: 'listing_rank',
    columns: 'trust, confidence, agent_id',
    orderBy: 'trust ASC NULLS FIRST, confidence ASC NULLS FIRST, agent_id DESC',
    cursorKey: 'NULL',
    whole: RISING_SCORES,
    keysOf: ({ trust, confidence }) => [trust, confidence],
    isKeys: isScoreKeys,
    after: (keys, agentId) => afterScore('rising', keys, agentId),
  }),
} as const satisfies Readonly<Record<string, SortEntry>>;

/** Sort orders of the directory, by value of the query parameter. */
export type Sort = keyof typeof SORTS;

/** Sorts in the order of the list page. */
export const SORT_NAMES = Object.keys(SORTS) as Sort[];

/** Returns the entry of a sort order, for callers that do not know the type of its keys. */
export function sortEntry(sort: Sort): SortEntry {
  return SORTS[sort];
}

/** Infers the types of an entry's functions from its keys. */
function defineSort<Keys extends readonly unknown[]>(entry: SortEntry<Keys>): SortEntry<Keys> {
  return entry;
}

/** Orders by a time, latest first. Cursors keep its microseconds. */
function byTime(label: string, column: string, orderBy: string): SortEntry<readonly [at: string | null]> {
  return {
    label,
    table: 'listing_order',
    columns: `${column}, agent_id`,
    orderBy,
    cursorKey: `utc_text(l.${column})`,
    whole: [EVERYTHING],
    keysOf: ({ cursorKey }) => [cursorKey],
    isKeys: (keys): keys is [string | null] =>
      keys.length === 1 && (keys[0] === null || isTimestamp(keys[0])),
    after: ([at], agentId) => afterFalling(column, 'timestamptz', at, agentId),
  };
}

/** Maximum bytes of a name as JSON, so that a cursor stays under the contract's 1,024 characters. */
const MAX_NAME_BYTES = 700;

/** Returns null for a name that is too long for a cursor; the entry's name is then read again. */
function shortName(name: string | null): string | null {
  return Buffer.byteLength(JSON.stringify(name)) <= MAX_NAME_BYTES ? name : null;
}

function isScoreKeys(keys: readonly unknown[]): keys is ScoreKeys {
  return keys.length === 2 && keys.every((key) => key === null || Number.isFinite(key));
}

/** Rejects U+0000, which PostgreSQL does not store. */
function isStorable(name: unknown): name is string {
  return typeof name === 'string' && !name.includes('\u0000');
}

/** Accepts small integers: positions and popularity. */
function isSmallInteger(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 32_768;
}

/** Rejects times that PostgreSQL would not read, such as 30 February. */
function isTimestamp(value: unknown): value is string {
  return typeof value === 'string' && isUtcText(value);
}
