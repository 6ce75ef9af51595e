// Compares the public reads per second of a server with three others: a bare Fastify route with the same bytes, a
// hand-written Fastify and pg server, and PostGraphile 5 on the same tables.
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { withServerAndDatabase } from './bench-server.mjs';
import { startChild } from './child.mjs';
import { rate } from './figures.ts';
import { inTurns, withLoad } from './in-turns.mjs';
import { listed } from './listed.mjs';
import { startPostGraphile } from './postgraphile.mjs';
import { tell } from './progress.mjs';
import { atLeast } from './table.ts';

const SECONDS = Number(process.env.SECONDS ?? 3);
/** Seconds per page. There are many pages, so each is measured for a shorter time. */
const PAGE_SECONDS = SECONDS / 4;
const MOST_IDS = Number(process.env.IDS ?? 10_000);
const CONNECTIONS = Number(process.env.CONNECTIONS ?? 32);
/** Number of database sessions that the server may use for public reads. */
const SESSIONS = 10;
/** Pause after a change, in milliseconds, in which the server invalidates its cache. Nothing is measured during the pause. */
const HEARD_MS = 500;
const CATEGORIES = [
  ...['coding', 'research', 'productivity', 'data', 'automation', 'creative', 'infrastructure'],
  ...['communication', 'other'],
];
/** Queries of the first page, with each filter and each sort order. */
export const QUERIES = [
  ...['', '?sort=score_asc', '?sort=name', '?verified=true', '?tier=high', '?tier=medium', '?tier=low'],
  ...CATEGORIES.map((category) => `?category=${category}`),
];

async function read(baseUrl, path) {
  const answer = await fetch(`${baseUrl}${path}`);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return { path, type: answer.headers.get('content-type'), body: await answer.text() };
}

/** Converts a path with a query to one without, because routes do not match queries. */
const bareOf = (path) => path.replace('?', '/list-');

/** Starts the reference server, which sends the same bytes as the measured server. */
async function startReference(baseUrl, databaseUrl, ids, paths) {
  const details = {};
  for (const id of ids) details[id] = (await read(baseUrl, `/api/agents/${id}`)).body;
  const answers = [];
  for (const path of paths) answers.push({ ...(await read(baseUrl, path)), path: bareOf(path) });
  const child = startChild(fileURLToPath(new URL('./reads-reference.mjs', import.meta.url)));
  const { origin } = await child.tell({ databaseUrl, details, answers, sessions: SESSIONS });
  const id = ids.find((each) => JSON.parse(details[each]).supersededBy === null);
  const byHand = (await read(origin, `/by-hand/${id}`)).body;
  // The comparison is fair only if both servers send the same data. One field is ignored: the creator that a bare handle
  // resolves to, which the reference does not look up.
  if (!isDeepStrictEqual(withoutHandle(byHand), withoutHandle(details[id])))
    throw new Error(`what is read by hand is not what the server answers:\n${byHand}\n${details[id]}`);
  return { origin, stop: child.stop };
}

function withoutHandle(body) {
  const { creator, ...agent } = JSON.parse(body);
  return { ...agent, creator: { ...creator, handle: null } };
}

function ordersOn(baseUrl, reference, postGraphile, ids, pages) {
  const order = (origin, paths, more) => ({
    load: 'reads',
    connections: CONNECTIONS,
    seconds: SECONDS,
    origin,
    paths,
    ...more,
  });
  const details = ids.map((id) => `/api/agents/${id}`);
  const byHand = ids.map((id) => `/by-hand/${id}`);
  const brief = { seconds: PAGE_SECONDS };
  return {
    warm: order(baseUrl, details),
    bare: order(
      reference.origin,
      ids.map((id) => `/bare-of/${id}`),
    ),
    'by hand': order(reference.origin, byHand),
    PostGraphile: order(postGraphile.origin, [], { requests: ids.map(postGraphile.requestFor) }),
    cold: order(baseUrl, details, { once: true }),
    'by hand, once': order(reference.origin, byHand, { once: true }),
    ...Object.fromEntries(
      pages.flatMap((path) => [
        [path, order(baseUrl, [path], brief)],
        [`${path}, bare`, order(reference.origin, [`/bare${bareOf(path)}`], brief)],
      ]),
    ),
  };
}

function linesOf(figure, ids, pages, agentPage) {
  const line = (work, against, one, other, least) => {
    const [first, second] = [one, other].map((name) => figure(name, 'perSecond'));
    return atLeast({ work, against, one: first, other: second, unit: rate }, least);
  };
  const warm = `detail, ${ids.length} ids, warm`;
  const share = (path) => figure(path, 'perSecond') / figure(`${path}, bare`, 'perSecond');
  const lists = pages.filter((path) => path !== agentPage);
  const slowest = lists.toSorted((one, other) => share(one) - share(other))[0];
  const first = `first page, each of ${lists.length} filters and sorts; the slowest, ${slowest}`;
  return [
    line(warm, 'bare Fastify', 'warm', 'bare', 0.5),
    line(warm, 'Fastify and pg by hand', 'warm', 'by hand', 2),
    line(warm, 'PostGraphile 5', 'warm', 'PostGraphile', 5),
    line('detail, every id cold', 'Fastify and pg by hand', 'cold', 'by hand, once', 1),
    line(first, 'bare Fastify', slowest, `${slowest}, bare`, 0.3),
    line('agent page in HTML', 'bare Fastify', agentPage, `${agentPage}, bare`, 0.3),
  ];
}

/** Measures public reads and returns the lines of their table. */
export function measure() {
  return withServerAndDatabase({}, async (baseUrl, databaseUrl, database) => {
    tell('reading what is to be sent');
    const agents = await listed(baseUrl, MOST_IDS);
    const ids = agents.map(({ id }) => id);
    const [{ id, type }] = agents;
    const agentPage = `/${type === 'agent' ? 'a' : 's'}/id/${id}`;
    const pages = [...QUERIES.flatMap((query) => [`/api/agents${query}`, `/agents${query}`]), agentPage];
    const reference = await startReference(baseUrl, databaseUrl, ids, pages);
    const postGraphile = await startPostGraphile(databaseUrl, SESSIONS);
    const orders = ordersOn(baseUrl, reference, postGraphile, ids, pages);
    try {
      const figure = await withLoad((run) =>
        inTurns(run, orders, async (name, order) => {
          if (!order.once) return;
          // Run the order once unmeasured, so that opening sessions and planning statements is not part of the figures.
          await run(order);
          if (name === 'cold') await forgetAnswers(database);
        }),
      );
      return linesOf(figure, ids, pages, agentPage);
    } finally {
      await postGraphile.stop();
      await reference.stop();
    }
  });
}

/** Invalidates the response cache of every server, as a change of the whole directory does. */
export async function forgetAnswers(database) {
  await database.query("SELECT pg_notify('directory_changed', '*')::text AS told");
  await sleep(HEARD_MS);
}
