import { licenseOf } from '../../registry/listings/search-marks.ts';
import type { PageFilters } from './list-agents-page.sql.ts';
import { KEYS, ORDERED, ORDERS, type Sort, type Stretch, type Values } from './list-agents-stretches.sql.ts';
import { chosen, conditions, found, hasWords, matching } from './list-conditions.sql.ts';
import type { SearchPlan, WalkedOrder } from './search-plan.ts';

/** A search that is found by a walk along an order. */
export type Walk = PageFilters & {
  search: NonNullable<PageFilters['search']> & { plan: SearchPlan & { most: number } };
};

/** The same filters where their search is found so; null where it is not. */
export function asWalk(filters: PageFilters): Walk | null {
  const plan = filters.search?.plan;
  return plan?.by === 'order' || plan?.by === 'sieve' ? (filters as Walk) : null;
}

/** The matches among the first entries of the order; all of its entries where only so can be told that there are no more. */
export function walkedSource(walk: Walk, stretch: Stretch, values: Values): string {
  const { sort, search } = walk;
  const [columns, match] = lookOf(walk);
  const walked = `SELECT ${[KEYS[sort], ...columns].join(', ')} FROM ${ORDERED[sort]}
    ${conditions([...stretch(values), ...within(walk, values)])} ORDER BY ${ORDERS[sort]} LIMIT ${values.add(search.plan.most)}`;
  return `SELECT ${KEYS[sort]} FROM (${walked}) AS o ${conditions(match(values))}`;
}

/** That a walk came to the end of a stretch: behind one that was given up nothing follows yet. */
export function isWalkedWhole(walk: Walk, stretch: Stretch, values: Values): string {
  const { sort, search } = walk;
  return `NOT EXISTS (SELECT FROM ${ORDERED[sort]} ${conditions([...stretch(values), ...within(walk, values)])}
    ORDER BY ${ORDERS[sort]} OFFSET ${values.add(search.plan.most)} LIMIT 1)`;
}

/** The order that a search for these marks is walked along. */
export function walkedOrder(marks: readonly string[], sort: Sort): WalkedOrder {
  return { has: hasWords(sort) ? 'words' : 'marks', license: walkedLicense(marks, sort) };
}

/** The licence by whose own range an order is walked; null where none is asked for, or the order has no such ranges. */
function walkedLicense(marks: readonly string[], sort: Sort): string | null {
  if (ORDERED[sort] !== 'listing_rank') return null;
  return marks.map(licenseOf).find((license) => license !== null) ?? null;
}

/** The part of an order that a walk goes through, as its index has it: of a licence, or what has any mark. */
function within({ sort, search: { marks = [] } }: Walk, values: Values): string[] {
  const license = walkedLicense(marks, sort);
  if (license !== null) return [`license = ${values.add(license)}`, `license <> ''`];
  return marks.length > 0 && ORDERED[sort] === 'listing_rank' ? ['marks <> 0'] : [];
}

/** Which columns a walk reads beside the keys, and what is asked of each entry `o`. */
function lookOf(walk: Walk): [columns: string[], match: (values: Values) => string[]] {
  const { sort, search } = walk;
  const { plan, marks = [], hasWords: isWorded = true } = search;
  if (plan.by === 'sieve') {
    const noted = (values: Values) => idsOf([...found(search, values), ...chosen(walk, values)]);
    if (!plan.isKept) return [[], (values) => [among(noted(values))]];
    return [[], (values) => [among(keptIds(search.all, noted(values), values)), hasAll(walk, values)]];
  }
  const left = marks.filter((mark) => licenseOf(mark) === null || walkedLicense(marks, sort) === null);
  if (left.length > 0 && !hasWords(sort))
    return [['marks'], (values) => [...left.map((mark) => mayHave(mark, values)), hasAll(walk, values)]];
  const columns = ['subject_id', ...RANGE, ...(hasWords(sort) ? ['words'] : [])];
  const isTold = !isWorded && left.length === 0 && marks.length > 0;
  return [
    columns,
    (values) => [...chosen(walk, values), ...(isTold ? [] : matching(sort, search.all, values))],
  ];
}

const RANGE = ['type', 'verified', 'tier', 'category', 'kind'];

/** What the bits of an entry tell of a mark, before anything is looked up. */
function mayHave(mark: string, values: Values): string {
  const bits = `mark_bits(${values.add(mark)}::text)`;
  return `o.marks & ${bits} = ${bits}`;
}

/** All that is asked, of an entry that may have it. By its id, so that the walk stays one along an index alone. */
function hasAll(walk: Walk, values: Values): string {
  const match = [`(words @@ ${values.add(walk.search.all)}::tsquery) IS TRUE`, ...chosen(walk, values)];
  const matches = `SELECT FROM listing_words w ${conditions(['w.subject_id = l.subject_id', ...match])} OFFSET 0`;
  return `EXISTS (SELECT FROM listing l WHERE l.agent_id = o.agent_id AND EXISTS (${matches}) OFFSET 0)`;
}

/** The ids of what meets these conditions, as an array. */
function idsOf(match: readonly string[]): string {
  return `ARRAY(SELECT agent_id FROM listing_words ${conditions(match)})`;
}

/** All ids that a search finds and perhaps more, as they are kept with what changed since then; those noted where none are kept. */
function keptIds(text: string, noted: string, values: Values): string {
  const search = `${values.add(text)}::tsquery`;
  return `CASE WHEN EXISTS (SELECT FROM search_match WHERE search = ${search}) AND NOT EXISTS (SELECT FROM search_change WHERE words IS NULL)
    THEN ARRAY(SELECT unnest(agent_ids) FROM search_match WHERE search = ${search}
      UNION ALL SELECT agent_id FROM search_change WHERE difference = 1 AND words @@ ${search})
    ELSE ${noted} END`;
}

/**
 * That an entry `o` is among the matches, which are all noted first. As an array the planner takes them for few, and so keeps
 * them where each is found at once, and IS TRUE keeps it from joining them: the walk stays one along an index alone.
 */
function among(ids: string): string {
  return `(o.agent_id IN (SELECT unnest(${ids}))) IS TRUE`;
}
