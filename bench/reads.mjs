// How many public reads a server answers, against a bare Fastify route with the same bytes and against Fastify with pg by hand.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { withServerAndDatabase } from './bench-server.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const SECONDS = Number(process.env.SECONDS ?? 3);
const MOST_IDS = Number(process.env.IDS ?? 10_000);
const CONNECTIONS = 32;
const LISTED_AT_ONCE = 100;
/** As many as the server may use for public reads. */
const SESSIONS = 10;
/** For a change to be heard; nothing is measured meanwhile. */
const HEARD_MS = 500;
const QUERIES = [
  ...['', '?sort=score_asc', '?sort=name', '?verified=true', '?tier=high', '?tier=medium', '?tier=low'],
  ...[
    '?category=coding',
    '?category=research',
    '?category=productivity',
    '?category=data',
    '?category=automation',
  ],
  ...['?category=creative', '?category=infrastructure', '?category=communication', '?category=other'],
];

/** A process of the bench; `tell` gives it one order and answers what it sends back. */
function start(file) {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)));
  return {
    async tell(order) {
      child.send(order);
      const [answer] = await once(child, 'message');
      if (answer.error) throw new Error(answer.error);
      return answer;
    },
    stop: () => child.kill(),
  };
}

async function read(baseUrl, path) {
  const answer = await fetch(`${baseUrl}${path}`);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return { path, type: answer.headers.get('content-type'), body: await answer.text() };
}

async function listedAgents(baseUrl) {
  const agents = [];
  for (let offset = 0; agents.length < MOST_IDS; offset += LISTED_AT_ONCE) {
    const { data } = JSON.parse(
      (await read(baseUrl, `/api/agents?limit=${LISTED_AT_ONCE}&offset=${offset}`)).body,
    );
    if (data.length === 0) break;
    agents.push(...data);
  }
  return agents.slice(0, MOST_IDS);
}

const middle = (values) => values.toSorted((one, other) => one - other)[values.length >> 1];

/** All loads in turns, so that whatever slows the machine slows each; the middle round of each counts. */
async function measure(load, orders, beforeCold) {
  const seen = Object.fromEntries(Object.keys(orders).map((name) => [name, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, order] of Object.entries(orders)) {
      // A lap first for the sessions and their plans, which are no part of a read.
      if (order.once) await load.tell({ connections: CONNECTIONS, ...order });
      if (order.cold) await beforeCold();
      const { figures } = await load.tell({ connections: CONNECTIONS, seconds: SECONDS, ...order });
      // The first one warms up.
      if (round > 0) seen[name].push(figures.perSecond);
    }
  }
  return (name) => middle(seen[name]);
}

function print(rows) {
  const shown = [['work', 'measured', 'against', 'ratio'], ...rows];
  const widths = shown[0].map((_, column) => Math.max(...shown.map((row) => row[column].length)));
  for (const row of shown) console.log(row.map((cell, column) => cell.padEnd(widths[column])).join('  '));
}

const rate = (perSecond) => `${Math.round(perSecond)}/s`;

await withServerAndDatabase({}, async (baseUrl, databaseUrl, database) => {
  await database.query('ANALYZE');
  const agents = await listedAgents(baseUrl);
  const ids = agents.map(({ id }) => id);
  const details = ids.map((id) => `/api/agents/${id}`);
  const pages = agents.slice(0, 1_000).map(({ id, type }) => `/${type === 'agent' ? 'a' : 's'}/id/${id}`);
  const answers = [];
  for (const path of [
    ...details,
    ...QUERIES.map((query) => `/api/agents${query}`),
    '/',
    ...pages.slice(0, 1),
  ])
    answers.push(await read(baseUrl, path));
  const reference = start('./reads-reference.mjs');
  const load = start('./reads-load.mjs');
  try {
    // A query is no part of a route's address.
    const bare = answers.map(({ path, ...answer }) => ({ path: path.replace('?', '/list-'), ...answer }));
    const { origin } = await reference.tell({
      databaseUrl,
      details: Object.fromEntries(bare.slice(0, ids.length).map(({ body }, place) => [ids[place], body])),
      answers: bare.slice(ids.length),
      sessions: SESSIONS,
    });
    const lists = QUERIES.map((query) => `/api/agents${query}`);
    const orders = {
      'detail, warm': { origin: baseUrl, paths: details },
      'detail, bare': { origin, paths: ids.map((id) => `/bare-of/${id}`) },
      'detail, by hand': { origin, paths: ids.map((id) => `/by-hand/${id}`) },
      'detail, cold': { origin: baseUrl, paths: details, once: true, cold: true },
      'detail, by hand, once': { origin, paths: ids.map((id) => `/by-hand/${id}`), once: true },
      page: { origin: baseUrl, paths: pages.slice(0, 1) },
      'page, bare': { origin, paths: pages.slice(0, 1).map((path) => `/bare${path}`) },
      home: { origin: baseUrl, paths: ['/'] },
      'home, bare': { origin, paths: ['/bare/'] },
      ...Object.fromEntries(
        lists.flatMap((path) => [
          [path, { origin: baseUrl, paths: [path], seconds: 1 }],
          [`${path}, bare`, { origin, paths: [`/bare${path.replace('?', '/list-')}`], seconds: 1 }],
        ]),
      ),
    };
    const forget = async () => {
      await database.query("SELECT pg_notify('directory_changed', '*')::text AS told");
      await sleep(HEARD_MS);
    };
    const perSecond = await measure(load, orders, forget);
    console.log(`${ids.length} agents and skills, ${ROUNDS} rounds, middle round shown`);
    const line = (work, one, other) => [
      work,
      rate(perSecond(one)),
      rate(perSecond(other)),
      (perSecond(one) / perSecond(other)).toFixed(2),
    ];
    print([
      line('detail, warm (bare Fastify)', 'detail, warm', 'detail, bare'),
      line('detail, warm (Fastify and pg by hand)', 'detail, warm', 'detail, by hand'),
      line('detail, every id cold (Fastify and pg by hand)', 'detail, cold', 'detail, by hand, once'),
      line('page of an agent (bare Fastify)', 'page', 'page, bare'),
      line('home page (bare Fastify)', 'home', 'home, bare'),
      ...lists.map((path) => line(`${path} (bare Fastify)`, path, `${path}, bare`)),
    ]);
  } finally {
    load.stop();
    reference.stop();
  }
});
