// Measures at which position searches find the expected listing, and how long they take.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fillFolder } from './bench-server.mjs';
import { duration, whole } from './figures.ts';
import { tell } from './progress.mjs';
import { found, judgeNeeds, needLines } from './search-needs.mjs';
import { timeLines, timesOf } from './search-times.mjs';
import { withDirectory, withTwoSizes } from './two-sizes.mjs';

/**
 * Listings of the large directory. Only times are measured there: a third of the copies have the name of their
 * original, so positions would mean nothing.
 */
const MANY = Number(process.env.MANY ?? 1_000_000);
const LEAST_SHARE = 0.98;
const MOST_MS = 30;
const MOST_MS_OF_MANY = 100;
const MOST_MS_OF_SUGGESTIONS = 10;
/** Numbers of typed letters for which suggestions are requested. */
const LETTERS = [1, 2, 3, 4, 5];
const LISTINGS = process.env.LISTINGS_DIR && resolve(process.env.LISTINGS_DIR);
const OWN = fileURLToPath(new URL('../server/testing/search', import.meta.url));

/** Reads a file of queries from the listings folder or, without one, from the tests' folder; empty if the file is missing. */
function readLines(name, ownName) {
  const path = LISTINGS ? join(LISTINGS, name) : join(OWN, ownName);
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Reads searches for a known listing, and labelled searches for a need. */
function readQueries() {
  const names = readLines('search-queries.ndjson', 'ranked-queries.ndjson').map(
    ({ repository, expect = repository, ...row }) => ({ ...row, expect }),
  );
  if (names.length === 0) throw new Error('there are no search-queries.ndjson with query, expect and within');
  return { names, needs: readLines('search-intents.ndjson', 'need-queries.ndjson') };
}

/** Sends each search for a name once. */
async function ask(baseUrl, queries) {
  const asked = [];
  for (const { query, expect, within } of queries) {
    const { places } = await found(baseUrl, query.replace(/^https:\/\/github\.com\//, ''), 20);
    const place = places.indexOf(expect.toLowerCase()) + 1;
    asked.push({ query, isWithin: place > 0 && place <= within });
  }
  return asked;
}

/** Requests suggestions once for each beginning of the expected names. */
async function askSuggestions(baseUrl, queries) {
  const texts = queries.flatMap(({ expect }) => LETTERS.map((most) => expect.split('/')[1].slice(0, most)));
  const asked = [];
  for (const text of new Set(texts.map((each) => each.toLowerCase()))) {
    const startedAt = performance.now();
    const answer = await fetch(`${baseUrl}/suggest?q=${encodeURIComponent(text)}`);
    await answer.text();
    asked.push({ ms: performance.now() - startedAt });
    if (!answer.ok) throw new Error(`suggestions for ${text}: ${answer.status}`);
  }
  return asked;
}

function p95(asked) {
  const times = asked.map(({ ms }) => ms).sort((one, other) => one - other);
  return times[Math.ceil(times.length * 0.95) - 1];
}

function timeLine(asked, listings, most, what = 'search by relevance') {
  const work = `${what} at ${whole(listings)} listings, p95`;
  const time = p95(asked);
  return { work, against: '', measured: duration(time), reach: `≤ ${duration(most)}`, reached: time <= most };
}

function suggestionsLine(asked, listings) {
  return timeLine(asked, listings, MOST_MS_OF_SUGGESTIONS, 'suggestions for 1 to 5 letters');
}

/**
 * Measures search in an imported directory and in a large one; returns the lines of the table: the shares of searches that
 * find what they should, and times.
 */
export function measure() {
  const { names, needs } = readQueries();
  const texts = [...names, ...needs].map(({ query }) => query);
  const looked = (folder) =>
    withDirectory(folder, { KEPT_ANSWERS_MB: '0' }, async ({ baseUrl }, database) => {
      // Open connections with searches that are not among the measured ones.
      for (const text of ['warm', 'warming up']) await found(baseUrl, text);
      const times = await timesOf(baseUrl, database, texts);
      const asked = await ask(baseUrl, names);
      const verdicts = await judgeNeeds(baseUrl, needs, tell);
      await askSuggestions(baseUrl, names.slice(0, 10));
      const suggested = await askSuggestions(baseUrl, names);
      const [{ there }] = await database.query('SELECT count(*)::int AS there FROM listing');
      for (const { text, ms } of times.slowest) tell(`among the slowest ten: ${text}: ${ms.toFixed(1)} ms`);
      return { times, asked, verdicts, suggested, there };
    });
  return withTwoSizes(
    'search',
    (folder) => fillFolder(folder),
    MANY,
    async (folders) => {
      const few = await looked(folders.few);
      for (const { query, isWithin } of few.asked) if (!isWithin) tell(`not within its place: ${query}`);
      const many = await looked(folders.many);
      return [
        shareLine(few.asked),
        ...(needs.length > 0 ? needLines(few.verdicts) : []),
        ...timeLines(few.times, few.there, MOST_MS),
        suggestionsLine(few.suggested, few.there),
        ...(many.there > few.there
          ? [
              ...timeLines(many.times, many.there, MOST_MS_OF_MANY),
              suggestionsLine(many.suggested, many.there),
            ]
          : []),
      ];
    },
  );
}

function shareLine(asked) {
  const share = asked.filter(({ isWithin }) => isWithin).length / asked.length;
  return {
    work: `${asked.length} searches, those within their place`,
    against: '',
    measured: `${(share * 100).toFixed(0)} %`,
    reach: `≥ ${LEAST_SHARE * 100} %`,
    reached: share >= LEAST_SHARE,
  };
}
