// Measures at which position searches find the expected listing, and how long they take.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fillFolder } from './bench-server.mjs';
import { tell } from './progress.mjs';
import { found, judgeNeeds, needLines, shareLine } from './search-needs.mjs';
import { timeLine, timeLines, timesOf, withoutHost } from './search-times.mjs';
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

/** Sends each search for a name once. Returns those that do not find the expected listing within its place. */
async function lateOf(baseUrl, queries) {
  const late = [];
  for (const { query, expect, within } of queries) {
    const places = await found(baseUrl, withoutHost(query), 20);
    const place = places.indexOf(expect.toLowerCase()) + 1;
    if (place === 0 || place > within) late.push(query);
  }
  return late;
}

/** Requests suggestions once for each beginning of the expected names. */
async function askSuggestions(baseUrl, queries) {
  const texts = queries.flatMap(({ expect }) => LETTERS.map((most) => expect.split('/')[1].slice(0, most)));
  const times = [];
  for (const text of new Set(texts.map((each) => each.toLowerCase()))) {
    const startedAt = performance.now();
    const answer = await fetch(`${baseUrl}/suggest?q=${encodeURIComponent(text)}`);
    await answer.text();
    times.push(performance.now() - startedAt);
    if (!answer.ok) throw new Error(`suggestions for ${text}: ${answer.status}`);
  }
  return times;
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
      const late = await lateOf(baseUrl, names);
      const verdicts = await judgeNeeds(baseUrl, needs, tell);
      await askSuggestions(baseUrl, names.slice(0, 10));
      const suggested = await askSuggestions(baseUrl, names);
      const [{ there }] = await database.query('SELECT count(*)::int AS there FROM listing');
      for (const { text, ms } of times.slowest) tell(`among the slowest ten: ${text}: ${ms.toFixed(1)} ms`);
      const lines = (most) => [
        ...timeLines(times, there, most),
        timeLine('suggestions for 1 to 5 letters', suggested, there, MOST_MS_OF_SUGGESTIONS),
      ];
      return { lines, late, verdicts, there };
    });
  return withTwoSizes(
    'search',
    (folder) => fillFolder(folder),
    MANY,
    async (folders) => {
      const few = await looked(folders.few);
      for (const query of few.late) tell(`not within its place: ${query}`);
      const many = await looked(folders.many);
      const share = 1 - few.late.length / names.length;
      return [
        shareLine(`${names.length} searches, those within their place`, share, LEAST_SHARE),
        ...(needs.length > 0 ? needLines(few.verdicts) : []),
        ...few.lines(MOST_MS),
        ...(many.there > few.there ? many.lines(MOST_MS_OF_MANY) : []),
      ];
    },
  );
}
