import {
  hasKind,
  KEYS,
  ORDERED,
  ORDERS,
  type Sort,
  type Stretch,
  type Values,
} from './list-agents-stretches.sql.ts';
import type { SearchPlan } from './search-plan.ts';

/** What of the columns of narrow rows is chosen; null leaves all. */
export interface PageChoice {
  type: string | null;
  verified: boolean | null;
  tier: string | null;
  category: string | null;
  /** Null also in an order whose rows have no kind: there the search asks for it. */
  kind: string | null;
}

/** A search, and what of it the index is asked for. */
export interface FoundBy {
  all: string;
  by: string;
}

export interface PageFilters extends PageChoice {
  /** What to find, and the way to; null for every entry. */
  search: (FoundBy & { plan: SearchPlan }) | null;
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
  const parts = stretches.map((stretch, at) => {
    const before = stretches.slice(0, at).map((_, place) => `(SELECT count(*) FROM part_${place})`);
    const isDue = [
      `${before.join(' + ')} < ${most}`,
      ...stretches.slice(0, at).map((each) => isWalkedWhole(filters, each, values)),
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
  if (isWalk(search?.plan)) return walkedSource(filters, stretch, values);
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
  const sameFacet = rangeOf(sort).map((column) => `o.${column} = facet.${column}`);
  return `SELECT each.* FROM
    (SELECT DISTINCT ${rangeOf(sort).join(', ')} FROM listing_total ${conditions(chosen(filters, values))}) AS facet
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

/** The matches among the first entries of the order; all of its entries where only so can be told that there are no more. */
function walkedSource(filters: PageFilters, stretch: Stretch, values: Values): string {
  const { sort, search } = filters;
  if (!isWalk(search?.plan)) return '';
  const isSieve = search.plan.by === 'sieve';
  const columns = isSieve
    ? ''
    : `, ${['subject_id', ...rangeOf(sort), ...(hasWords(sort) ? ['words'] : [])].join(', ')}`;
  const walked = `SELECT ${KEYS[sort]}${columns} FROM ${ORDERED[sort]} ${conditions(stretch(values))}
    ORDER BY ${ORDERS[sort]} LIMIT ${values.add(search.plan.most)}`;
  const match = isSieve
    ? [among([...found(search, values), ...chosen(filters, values)])]
    : [...chosen(filters, values), ...matching(sort, search.all, values)];
  return `SELECT ${KEYS[sort]} FROM (${walked}) AS o ${conditions(match)}`;
}

/**
 * That an entry `o` is among the matches, which are all noted first. As an array the planner takes them for few, and so keeps
 * them where each is found at once, and IS TRUE keeps it from joining them: the walk stays one along an index alone.
 */
function among(match: readonly string[]): string {
  return `(o.agent_id IN (SELECT unnest(ARRAY(SELECT agent_id FROM listing_words ${conditions(match)})))) IS TRUE`;
}

/** That a walk came to the end of a stretch: behind one that was given up nothing follows yet. */
function isWalkedWhole({ sort, search }: PageFilters, stretch: Stretch, values: Values): string {
  if (!isWalk(search?.plan)) return 'true';
  return `NOT EXISTS (SELECT FROM ${ORDERED[sort]} ${conditions(stretch(values))}
    ORDER BY ${ORDERS[sort]} OFFSET ${values.add(search.plan.most)} LIMIT 1)`;
}

function isWalk(plan: SearchPlan | undefined): plan is SearchPlan & { most: number } {
  return plan?.by === 'order' || plan?.by === 'sieve';
}

/** Conditions that an index finds the entries of a search by; the second one is looked at for each that the first one finds. */
export function found({ all, by }: FoundBy, values: Values): string[] {
  const asked = `words @@ ${values.add(by)}::tsquery`;
  // Of a truth value alone no index knows anything.
  return by === all ? [asked] : [asked, `(words @@ ${values.add(all)}::tsquery) IS TRUE`];
}

/** That an entry `o` has the words of a search, looked at for each. */
function matching(sort: Sort, text: string, values: Values): string[] {
  const match = `words @@ ${values.add(text)}::tsquery`;
  // Of a truth value alone no index knows anything, and OFFSET 0 keeps the planner, which guesses how many match, from
  // finding them all.
  if (hasWords(sort)) return [`(${match}) IS TRUE`];
  return [`EXISTS (SELECT FROM listing_words w WHERE w.subject_id = o.subject_id AND w.${match} OFFSET 0)`];
}

/** What an order's longer index begins with. */
function rangeOf(sort: Sort): string[] {
  return ['type', 'verified', 'tier', 'category', ...(hasKind(sort) ? ['kind'] : [])];
}

/** Whether words stand in the narrow rows themselves. */
function hasWords(sort: Sort): boolean {
  return ORDERED[sort] === 'listing_words';
}

function find(sort: Sort): string {
  return `SELECT ${KEYS[sort]} FROM ${ORDERED[sort]}`;
}

function isChosen({ type, verified, tier, category, kind }: PageFilters): boolean {
  return [type, verified, tier, category, kind].some((value) => value !== null);
}

/** Conditions on narrow rows that a choice of filters makes. */
export function chosen({ type, verified, tier, category, kind }: PageChoice, values: Values): string[] {
  return [
    ...(kind === null ? [] : [`kind = ${values.add(kind)}`]),
    ...(type === null ? [] : [`type = ${values.add(type)}`]),
    ...(verified === null ? [] : [verified ? 'verified' : 'NOT verified']),
    ...(tier === null ? [] : [`tier = ${values.add(tier)}`]),
    ...(category === null ? [] : [`category = ${values.add(category)}`]),
  ];
}

/** Conditions as the end of a statement. */
export function conditions(all: readonly string[]): string {
  return all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`;
}
