// Compares lists, searches and lineage of a large directory with those of a small one.
import { fileURLToPath } from 'node:url';
import { readSynonyms } from '../server/src/catalog/listings/synonyms.ts';
import { MAX_COUNTED } from '../server/src/directory/lists/count-by-filter.ts';
import { buildSearch } from '../server/src/directory/search/build-search.ts';
import { isMatch, matchOf } from '../server/src/directory/search/match-conditions.sql.ts';
import { BindParameters, whereClause } from '../server/src/platform/database/send-statement.ts';
import { fillFolder } from './bench-server.mjs';
import { growTo } from './copy-listings.mjs';
import { duration, whole } from './figures.ts';
import { inTurns, withLoad } from './in-turns.mjs';
import { listed } from './listed.mjs';
import { tell } from './progress.mjs';
import { forgetAnswers, QUERIES } from './reads.mjs';
import { atMost } from './table.ts';
import { withDirectory, withTwoSizes } from './two-sizes.mjs';

const FEW = Number(process.env.FEW ?? 10_000);
const MANY = Number(process.env.MANY ?? 1_000_000);
/** Maximum milliseconds for a page of the large directory. */
const MOST_MS = 50;
const LOOKED_AT = 1_000;
/** Synonyms that the server searches with. */
const SYNONYMS = readSynonyms(fileURLToPath(new URL('../server/synonyms.json', import.meta.url)));
const COMMON_WORDS = 20;
const RARE_WORDS = 40;
/** Share of listings with a word: at least 5% for a common word, a few per thousand for a rare one. */
const COMMON_SHARE = 0.05;
const RARE_SHARE = [0.002, 0.006];
const LINEAGES = 60;
/** Sort orders and filters that are combined with each other, in addition to the lists of QUERIES. */
const ORDERS = ['score_desc', 'score_asc', 'name', 'stars', 'updated', 'newest'];
const FILTERS = ['type=agent', 'kind=agent', 'license=MIT', 'license=Apache-2.0', 'tag=mcp', 'tag=rust'];
/** Page lengths to request. Each length has its own URL, so the response cache has no response for it yet. */
const LIMITS = Array.from({ length: 30 }, (_, place) => 20 + place);

/** Selects words to search for: common ones, which many listings have, and rare ones. */
function wordsOf(entries) {
  const counts = new Map();
  for (const { name, description } of entries) {
    const words = `${name} ${description}`.toLowerCase().match(/[a-z]{3,}/g) ?? [];
    for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const byCount = [...counts].sort(([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1));
  const between = (least, most) =>
    byCount.filter(([, count]) => count >= least * entries.length && count <= most * entries.length);
  return {
    common: between(COMMON_SHARE, 1).slice(0, COMMON_WORDS),
    rare: between(...RARE_SHARE).slice(0, RARE_WORDS),
  };
}

/** Returns ids of listings: first those that have a parent or children, then others. */
async function lineageIds(database, entries) {
  const related = await database.query(
    `SELECT DISTINCT r.agent_id AS id FROM listing l JOIN listing r ON r.subject_id IN (l.subject_id, l.parent_id)
     WHERE l.parent_id IS NOT NULL ORDER BY 1 LIMIT $1`,
    [LINEAGES / 2],
  );
  return [...related, ...entries].slice(0, LINEAGES).map(({ id }) => id);
}

async function pathsOn(baseUrl, database) {
  const entries = await listed(baseUrl, LOOKED_AT);
  const { common, rare } = wordsOf(entries);
  const search = (words) => words.map(([word]) => `/api/agents?q=${word}`);
  return {
    lists: QUERIES.flatMap((query) => [
      `/api/agents${query}`,
      `/api/agents${query}${query === '' ? '?' : '&'}offset=100`,
    ]),
    'lists, each order by each filter': ORDERS.flatMap((sort) =>
      FILTERS.map((filter) => `/api/agents?sort=${sort}&${filter}`),
    ),
    search: search(rare),
    'search for commoner words': search(common),
    lineage: (await lineageIds(database, entries)).map((id) => `/api/agents/${id}/lineage`),
  };
}

/** Requests each address once per round, one after the other, with cached responses invalidated first. */
async function timed(run, baseUrl, database, groups) {
  const orders = Object.fromEntries(
    Object.entries(groups).map(([name, paths]) => [
      name,
      { load: 'reads', origin: baseUrl, paths, connections: 1, once: true },
    ]),
  );
  const [first] = Object.keys(orders);
  // No two groups have a URL in common, so the cache is emptied only once per round.
  return inTurns(run, orders, async (name) => name === first && forgetAnswers(database));
}

/** Builds paths of pages that start at a row in the middle of the list, and of first pages with the same lengths. */
async function cursorPaths(baseUrl, row) {
  const page = await fetch(`${baseUrl}/api/agents?limit=1&offset=${row - 1}`);
  const { nextCursor } = await page.json();
  const paths = (more) => LIMITS.map((limit) => `/api/agents?limit=${limit}${more}`);
  return { 'first page': paths(''), 'by cursor': paths(`&cursor=${nextCursor}`) };
}

/**
 * Throws if a total is not the number of matching rows. Above 10,000 matches of a text, the total must be a lower bound.
 */
async function requireExactTotals(baseUrl, database, paths) {
  // Copies are inserted without triggers, so no change was announced to the cache.
  await forgetAnswers(database);
  for (const path of paths) {
    const { total } = await (await fetch(baseUrl + path)).json();
    const { q, sort = 'relevance', ...filters } = Object.fromEntries(new URL(path, baseUrl).searchParams);
    const values = new BindParameters();
    const search = q === undefined ? null : await buildSearch(database, q, SYNONYMS);
    const match = matchOf(search, [], sort === 'relevance');
    const chosen = ['verified', 'tier', 'category'].filter((name) => name in filters);
    const conditions = [
      ...(match === null ? [] : [isMatch(match, values)]),
      ...chosen.map((name) => `${name}::text = ${values.add(filters[name])}`),
    ];
    const [{ count }] = await database.query(
      `SELECT count(*)::int AS count FROM listing_words ${whereClause(conditions)}`,
      values.list,
    );
    const isCounted = q === undefined || count <= MAX_COUNTED;
    if (isCounted ? total !== count : total < MAX_COUNTED || total > count)
      throw new Error(`${path} says ${total} of ${count}`);
  }
}

/** Compares a large directory with a small one and returns the lines of the table. */
export function measure() {
  return withTwoSizes('scale', fillFew, MANY, (folders) => withLoad((run) => compareSizes(run, folders)));
}

async function compareSizes(run, folders) {
  const on = (folder, work) => withDirectory(folder, {}, ({ baseUrl }, database) => work(baseUrl, database));
  const measured = async (baseUrl, database, groups) => {
    const counted = [...groups.lists, ...groups['search for commoner words']];
    await requireExactTotals(baseUrl, database, counted);
    return timed(run, baseUrl, database, groups);
  };
  const { groups, few, atFew } = await on(folders.few, async (baseUrl, database) => {
    const groups = await pathsOn(baseUrl, database);
    const [few, atFew] = [await countListings(database), await measured(baseUrl, database, groups)];
    return { groups, few, atFew };
  });
  return on(folders.many, async (baseUrl, database) => {
    const many = await countListings(database);
    const atMany = await measured(baseUrl, database, groups);
    const row = Math.floor(many / 2);
    const byCursor = await timed(run, baseUrl, database, await cursorPaths(baseUrl, row));
    return linesOf(atFew, atMany, byCursor, { few, many, row });
  });
}

/** Fills a folder with FEW listings, including copies if the source has fewer. */
async function fillFew(folder) {
  tell(`making a directory of ${whole(FEW)} listings`);
  await fillFolder(folder, FEW);
  await withDirectory(folder, {}, (_server, database) => growTo(database, FEW));
}

async function countListings(database) {
  const [{ there }] = await database.query('SELECT count(*)::int AS there FROM listing');
  return there;
}

function linesOf(atFew, atMany, byCursor, { few, many, row }) {
  const line = (name, most) => {
    const [one, other] = [atMany, atFew].map((figure) => figure(name, 'p95'));
    const work = `${name} at ${whole(many)} listings, p95`;
    return atMost({ work, against: `at ${whole(few)}`, one, other, unit: duration }, most, MOST_MS);
  };
  const [first, later] = ['first page', 'by cursor'].map((name) => byCursor(name, 'median'));
  const work = `list by cursor at row ${whole(row)}, median`;
  return [
    line('lists', 2),
    line('lists, each order by each filter', 2),
    line('search', 2),
    line('search for commoner words', 4),
    line('lineage', 2),
    atMost({ work, against: 'first page', one: later, other: first, unit: duration }, 1.2),
  ];
}
