import { KEYS, ORDERED, ORDERS, type Sort, type Stretch, type Values } from './list-agents-stretches.sql.ts';
import { asWalk, isWalkedWhole, walkedSource } from './list-agents-walk.sql.ts';
import {
  chosen,
  conditions,
  type FoundBy,
  found,
  hasWords,
  matching,
  type PageChoice,
} from './list-conditions.sql.ts';
import type { PageSearch } from './list-query.ts';
import type { SearchPlan } from './search-plan.ts';

export interface PageFilters extends PageChoice {
  /** What to find, and the way to; null for every entry. */
  search: (FoundBy & Partial<Pick<PageSearch, 'marks' | 'hasWords'>> & { plan: SearchPlan }) | null;
  sort: Sort;
}

export interface PageWindow {
  offset: number;
  limit: number;
}

/** Up to so many entries from the start are read of every range that a choice of filters is made of. */
const MOST_MERGED = 1_000;

/**
 * `page`: the ids of a page's entries with their places. Each stretch is read as if it were alone, and only where those
 * before it did not fill the page, so that a list in several stretches costs what one costs.
 */
export function pageOf(
  filters: PageFilters,
  stretches: readonly Stretch[],
  { offset, limit }: PageWindow,
  values: Values,
): string {
  const order = ORDERS[filters.sort];
  const most = values.add(limit);
  const skipped = values.add(offset);
  const walk = asWalk(filters);
  const parts = stretches.map((stretch, at) => {
    const before = stretches.slice(0, at).map((_, place) => `(SELECT count(*) FROM part_${place})`);
    const isDue = [
      `${before.join(' + ')} < ${most}`,
      ...(walk === null ? [] : stretches.slice(0, at).map((each) => isWalkedWhole(walk, each, values))),
    ];
    const start = at === 0 ? skipped : startOf(filters, stretches.slice(0, at), skipped, offset, values);
    const part = `SELECT * FROM (SELECT * FROM (${sourceOf(filters, stretch, { offset, limit }, values)}) AS matching
      ORDER BY ${order} LIMIT ${most} OFFSET ${start}) AS walked`;
    return `part_${at} AS MATERIALIZED (${part}${at === 0 ? '' : ` WHERE ${isDue.join(' AND ')}`})`;
  });
  const all = stretches.map((_, at) => `SELECT *, ${at} AS part FROM part_${at}`).join(' UNION ALL ');
  return `WITH ${parts.join(', ')}, page AS MATERIALIZED (
    SELECT ${KEYS[filters.sort]}, row_number() OVER (ORDER BY part, ${order}) AS place
    FROM (SELECT * FROM (${all}) AS parts ORDER BY part, ${order} LIMIT ${most}) AS filled)`;
}

/** How many entries a choice of filters leaves. */
export function totalOf(filters: PageFilters, values: Values): string {
  return `(SELECT sum(difference)::bigint FROM listing_total ${conditions(chosen(filters, values))})`;
}

/** Where a later stretch starts: an offset that reaches beyond those before it counts on in this one. */
function startOf(
  filters: PageFilters,
  before: readonly Stretch[],
  skipped: string,
  offset: number,
  values: Values,
): string {
  if (offset === 0) return '0';
  const found = before.map((_, at) => `EXISTS (SELECT FROM part_${at})`).join(' OR ');
  const counts = before.map(
    (stretch) => `(SELECT count(*) FROM (${plainSource(filters, stretch, values)}) AS counted)`,
  );
  return `(CASE WHEN ${found} THEN 0 ELSE greatest(0, ${skipped} - ${counts.join(' - ')}) END)`;
}

/** What holds a stretch's first entries, and what of them the order needs. */
function sourceOf(filters: PageFilters, stretch: Stretch, window: PageWindow, values: Values): string {
  const { sort, search } = filters;
  const walk = asWalk(filters);
  if (walk !== null) return walkedSource(walk, stretch, values);
  // OFFSET 0 keeps the planner from walking an order's index in the hope of an early match: the words of a search are
  // often those of a name, and then the matches may all stand at the end.
  if (search?.plan.by === 'filters') {
    const match = () => [...stretch(values), ...matching(sort, search.all, values)];
    return `${eachRange(filters, match, '', values)} OFFSET 0`;
  }
  if (search !== null) return `${plainSource(filters, stretch, values)} OFFSET 0`;
  const end = window.offset + window.limit;
  if (!isChosen(filters) || end > MOST_MERGED) return plainSource(filters, stretch, values);
  // Each range of what is chosen is in order already: its first entries are enough, wherever in the order they stand.
  const first = `ORDER BY ${ORDERS[sort]} LIMIT ${values.add(end)}`;
  return eachRange(filters, () => stretch(values), first, values);
}

/** What a choice of filters leaves, as the ranges of the index that it is made of, and of each what is asked for. */
function eachRange(filters: PageFilters, asked: () => string[], first: string, values: Values): string {
  const { sort } = filters;
  const sameFacet = RANGE.map((column) => `o.${column} = facet.${column}`);
  return `SELECT each.* FROM
    (SELECT DISTINCT ${RANGE.join(', ')} FROM listing_total ${conditions(chosen(filters, values))}) AS facet
    CROSS JOIN LATERAL (${find(sort)} AS o ${conditions([...sameFacet, ...asked()])} ${first}) AS each`;
}

/** All entries of a stretch that the search and the filters leave. */
function plainSource(filters: PageFilters, stretch: Stretch, values: Values): string {
  const { sort, search } = filters;
  const choice = chosen(filters, values);
  if (search === null) return `${find(sort)} ${conditions([...choice, ...stretch(values)])}`;
  const matches = [...found(search, values), ...choice];
  if (hasWords(sort)) return `${find(sort)} ${conditions([...matches, ...stretch(values)])}`;
  if (search.plan.by === 'words') {
    const ids = `subject_id IN (SELECT subject_id FROM listing_words ${conditions(matches)})`;
    return `${find(sort)} ${conditions([ids, ...stretch(values)])}`;
  }
  // OFFSET 0: the planner would rather read all of the order for a thousand matches.
  const place = `${find(sort)} AS o ${conditions(['o.subject_id = matching.subject_id', ...stretch(values)])} OFFSET 0`;
  return `SELECT placed.* FROM (SELECT subject_id FROM listing_words ${conditions(matches)}) AS matching
    CROSS JOIN LATERAL (${place}) AS placed`;
}

/** What an order's longer index begins with. */
const RANGE = ['type', 'verified', 'tier', 'category', 'kind'];

function find(sort: Sort): string {
  return `SELECT ${KEYS[sort]} FROM ${ORDERED[sort]}`;
}

function isChosen({ type, verified, tier, category, kind }: PageFilters): boolean {
  return [type, verified, tier, category, kind].some((value) => value !== null);
}
