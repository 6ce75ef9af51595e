// Measures the times of searches: the first and the second time, while listings are written, on later pages, and while
// another client searches for long pasted texts.
import { duration, percentile, whole } from './figures.ts';

const COMMON_WORDS = 100;
/** Page numbers that are measured. A page is reached by following the cursors of all pages before it. */
const PAGES = [1, 2, 50];
const PAGE_LIMIT = 20;
/** Maximum searches that are followed to the last of PAGES, because each of them needs that many requests. */
const FOLLOWED = 20;
const PASTED_A_MINUTE = 1_000;
const PASTED_LETTERS = 200;
const PASTED_SECONDS = Number(process.env.PASTED_SECONDS ?? 8);
/** Rounds of searches without and with pasted texts, in turns; the median of their ratios counts, because times vary. */
const PASTED_ROUNDS = 5;
const MOST_SLOWER = 1.1;
const WRITE_EVERY_MS = 100;

/** Reads the most frequent words of names and descriptions in the database. */
export async function commonWords(database) {
  const rows = await database.query(
    `SELECT word FROM (SELECT name, description FROM listing ORDER BY agent_id LIMIT 20000) AS l,
       LATERAL (SELECT DISTINCT w FROM regexp_split_to_table(lower(l.name || ' ' || coalesce(l.description, '')), '[^a-z0-9]+') AS w)
         AS words (word)
     WHERE length(word) > 1 GROUP BY word ORDER BY count(*) DESC, word LIMIT $1`,
    [COMMON_WORDS],
  );
  return rows.map(({ word }) => word);
}

/** Returns the texts to search for: the labelled ones, the words alone, and each word with the next. */
export function textsOf(queries, words) {
  const pairs = words.map((word, at) => `${word} ${words[(at + 1) % words.length]}`);
  return [...new Set([...queries.map(withoutHost), ...words, ...pairs])];
}

/** Removes the address of GitHub from a search text, because the address of a listing leads to its page and is no search. */
export const withoutHost = (text) => text.replace(/^https:\/\/github\.com\//, '');

/** Returns the path of a search by relevance. */
export const pathOf = (text, limit = PAGE_LIMIT) =>
  `/api/agents?sort=relevance&limit=${limit}&q=${encodeURIComponent(text)}`;

/** Sends a request; returns its milliseconds and its answer. */
export async function ask(baseUrl, path) {
  const startedAt = performance.now();
  const answer = await fetch(baseUrl + path);
  const body = await answer.json();
  const ms = performance.now() - startedAt;
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${JSON.stringify(body)}`);
  return { ms, body };
}

async function askAll(baseUrl, paths) {
  const times = [];
  for (const path of paths) times.push((await ask(baseUrl, path)).ms);
  return times;
}

/** Follows cursors and notes the time of each page in PAGES beyond the first. */
async function followPages(baseUrl, texts) {
  const times = new Map(PAGES.slice(1).map((page) => [page, []]));
  let followed = 0;
  for (const text of texts) {
    if (followed === FOLLOWED) break;
    let { body } = await ask(baseUrl, pathOf(text));
    let page = 1;
    for (; page < PAGES.at(-1) && body.nextCursor; page += 1) {
      const next = await ask(baseUrl, `${pathOf(text)}&cursor=${encodeURIComponent(body.nextCursor)}`);
      times.get(page + 1)?.push(next.ms);
      body = next.body;
    }
    if (page === PAGES.at(-1)) followed += 1;
  }
  return times;
}

/** Runs the work while listings are written: each write sets the stars of some of them, as an import does. */
async function whileWriting(database, work) {
  let ends = false;
  const writing = (async () => {
    for (let turn = 0; !ends; turn += 1) {
      await database.query(
        `UPDATE listing SET stars = stars + 1 WHERE subject_id IN
           (SELECT subject_id FROM listing WHERE stars IS NOT NULL ORDER BY agent_id OFFSET $1 LIMIT 10)`,
        [(turn * 10) % 1_000],
      );
      await new Promise((resolve) => setTimeout(resolve, WRITE_EVERY_MS));
    }
  })();
  try {
    return await work();
  } finally {
    ends = true;
    await writing;
  }
}

/** Returns distinct texts of words of the data, cut to the length of a long search, like pasted texts. */
function pastedTexts(words, count) {
  let state = 1;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const one = () => {
    let text = '';
    while (text.length < PASTED_LETTERS) {
      const word = words[Math.floor(random() * words.length)];
      // Half of the words have a typing error, which makes a search most expensive.
      text +=
        random() < 0.5
          ? `${word} `
          : `${word.slice(0, 2)}${random().toString(36).slice(2, 6)}${word.slice(2)} `;
    }
    return text.slice(0, PASTED_LETTERS).trim();
  };
  return Array.from({ length: count }, one);
}

/** Measures searches of one client alone, and while another client searches for long pasted texts at a fixed rate. */
async function besidePasted(baseUrl, texts, words) {
  const reader = async (until) => {
    const times = [];
    for (let at = 0; performance.now() < until; at += 1)
      times.push((await ask(baseUrl, pathOf(texts[at % texts.length]))).ms);
    return times;
  };
  const lasting = PASTED_SECONDS * 1_000;
  const perRound = Math.ceil((PASTED_A_MINUTE / 60) * PASTED_SECONDS);
  const pasted = pastedTexts(words, perRound * PASTED_ROUNDS);
  let asked = 0;
  let refused = 0;
  const askOne = async (text) => {
    asked += 1;
    const answer = await fetch(baseUrl + pathOf(text));
    await answer.arrayBuffer();
    if (answer.status === 503) refused += 1;
    else if (!answer.ok) throw new Error(`${text}: ${answer.status}`);
  };
  await reader(performance.now() + lasting / 2);
  const rounds = [];
  for (let round = 0; round < PASTED_ROUNDS; round += 1) {
    const alone = percentile(await reader(performance.now() + lasting), 0.5);
    const answered = [];
    const timers = pasted
      .slice(round * perRound, (round + 1) * perRound)
      .map((text, at) => setTimeout(() => answered.push(askOne(text)), (at * 60_000) / PASTED_A_MINUTE));
    const beside = percentile(await reader(performance.now() + lasting), 0.5);
    for (const timer of timers) clearTimeout(timer);
    await Promise.all(answered);
    rounds.push({ alone, beside, ratio: beside / alone });
  }
  const [median] = rounds.toSorted((one, other) => one.ratio - other.ratio).slice((PASTED_ROUNDS - 1) / 2);
  return { ...median, asked, refused };
}

/** Measures all times in one directory. */
export async function timesOf(baseUrl, database, queries) {
  const words = await commonWords(database);
  const texts = textsOf(queries, words);
  const paths = texts.map((text) => pathOf(text));
  const cold = await askAll(baseUrl, paths);
  const warm = await askAll(baseUrl, paths);
  const pages = await followPages(baseUrl, texts);
  const written = await whileWriting(database, () => askAll(baseUrl, paths));
  const pasted = await besidePasted(baseUrl, texts, words);
  const slowest = texts
    .map((text, at) => ({ text, ms: warm[at] }))
    .sort((one, other) => other.ms - one.ms)
    .slice(0, 10);
  return { cold, warm, pages, written, pasted, slowest, count: texts.length };
}

/** Returns the line of the table that shows the 95th percentile of times. */
export function timeLine(work, times, listings, most) {
  const time = percentile(times, 0.95);
  return {
    work: `${work} at ${whole(listings)} listings, p95`,
    against: '',
    measured: duration(time),
    target: `≤ ${duration(most)}`,
    met: time <= most,
  };
}

/** Returns the lines of the table that show the times. */
export function timeLines({ cold, warm, pages, written, pasted, count }, listings, most) {
  const line = (work, times) => timeLine(work, times, listings, most);
  const { alone, beside, ratio } = pasted;
  return [
    line(`${count} searches by relevance, each for the first time`, cold),
    line('the same searches again', warm),
    line('the same searches with writes under way', written),
    ...[...pages].flatMap(([page, times]) =>
      times.length > 0 ? [line(`page ${page} by cursor`, times)] : [],
    ),
    {
      work: `searches beside ${whole(PASTED_A_MINUTE)} pasted texts a minute at ${whole(listings)} listings, median`,
      against: `without them (${whole(pasted.refused)} of ${whole(pasted.asked)} texts refused)`,
      measured: `${ratio.toFixed(2)} × (${duration(beside)}, ${duration(alone)})`,
      target: `≤ ${MOST_SLOWER} ×`,
      met: ratio <= MOST_SLOWER,
    },
  ];
}
