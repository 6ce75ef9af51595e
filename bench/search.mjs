// Where what people search for stands among all listings, and how long that takes.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fillFolder } from './bench-server.mjs';
import { duration, whole } from './figures.ts';
import { tell } from './progress.mjs';
import { withDirectory, withTwoSizes } from './two-sizes.mjs';

/** A third of the copies has the names of what they are copied from, so that places are told of the listings alone. */
const MANY = Number(process.env.MANY ?? 1_000_000);
const LEAST_SHARE = 0.95;
const MOST_MS = 50;
const MOST_MS_OF_MANY = 150;
const MOST_MS_OF_SUGGESTIONS = 10;
/** Names are typed so far. */
const LETTERS = [1, 2, 3, 4, 5];
const LISTINGS = process.env.LISTINGS_DIR && resolve(process.env.LISTINGS_DIR);
const OWN = fileURLToPath(new URL('../server/testing/search/ranked-queries.ndjson', import.meta.url));

/** Reads the queries of the listings folder, or those of the sample. */
function readQueries() {
  const path = LISTINGS ? join(LISTINGS, 'search-queries.ndjson') : OWN;
  if (!existsSync(path))
    throw new Error(`${path} is not there: it holds query, expect and within in each line`);
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return lines
    .map((line) => JSON.parse(line))
    .map(({ repository, expect = repository, ...row }) => ({ ...row, expect }));
}

/** Sends each query once and measures the time until the last byte of the answer. */
async function ask(baseUrl, queries) {
  const asked = [];
  for (const { query, expect, within } of queries) {
    const text = query.replace(/^https:\/\/github\.com\//, '');
    const url = `${baseUrl}/api/agents?sort=relevance&q=${encodeURIComponent(text)}`;
    const startedAt = performance.now();
    const answer = await fetch(url);
    const body = await answer.json();
    const ms = performance.now() - startedAt;
    if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
    const wanted = `/${expect}`.toLowerCase();
    const place =
      body.data.findIndex(({ repositoryUrl }) => repositoryUrl.toLowerCase().endsWith(wanted)) + 1;
    asked.push({ query, ms, isWithin: place > 0 && place <= within });
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
 * Measures search in an imported directory and in a large one; returns the lines of the table: the share of queries within
 * place, and times.
 */
export function measure() {
  const queries = readQueries();
  const looked = (folder) =>
    withDirectory(folder, { KEPT_ANSWERS_MB: '0' }, async ({ baseUrl }, database) => {
      // Connections and the queries' words, which nobody has asked for yet.
      await ask(baseUrl, queries.slice(0, 10));
      const asked = await ask(baseUrl, queries);
      await askSuggestions(baseUrl, queries.slice(0, 10));
      const suggested = await askSuggestions(baseUrl, queries);
      const [{ there }] = await database.query('SELECT count(*)::int AS there FROM listing');
      return { asked, suggested, there };
    });
  return withTwoSizes(
    'search',
    (folder) => fillFolder(folder),
    MANY,
    async (folders) => {
      const few = await looked(folders.few);
      const many = await looked(folders.many);
      for (const { query, isWithin } of few.asked) if (!isWithin) tell(`not within its place: ${query}`);
      return [
        shareLine(few.asked),
        timeLine(few.asked, few.there, MOST_MS),
        suggestionsLine(few.suggested, few.there),
        ...(many.there > few.there
          ? [timeLine(many.asked, many.there, MOST_MS_OF_MANY), suggestionsLine(many.suggested, many.there)]
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
