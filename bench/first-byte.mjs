import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { withServer } from './bench-server.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const MOST_MS = 50;
/** Pages of each kind: from the best known to those that nobody has ever asked for. */
const PAGES_OF_A_KIND = 40;

const connection = new Agent({ keepAlive: true, maxSockets: 1 });

/** Milliseconds until the first byte of a page, on a connection that is open already. */
async function firstByte(url) {
  const startedAt = performance.now();
  const asked = request(url, { agent: connection });
  asked.end();
  const [response] = await once(asked, 'response');
  await once(response, 'readable');
  const took = performance.now() - startedAt;
  response.resume();
  await once(response, 'end');
  if (response.statusCode >= 500) throw new Error(`${response.statusCode} at ${url}`);
  return took;
}

async function readJson(url) {
  return (await fetch(url)).json();
}

/** Paths of pages of every kind, spread evenly over the directory. */
async function pathsOn(baseUrl) {
  const { total } = await readJson(`${baseUrl}/api/agents?limit=1`);
  const listed = [];
  for (let place = 0; place < PAGES_OF_A_KIND; place += 1) {
    const offset = Math.floor((place / PAGES_OF_A_KIND) ** 2 * total);
    listed.push(...(await readJson(`${baseUrl}/api/agents?limit=1&offset=${offset}`)).data);
  }
  const inSitemap = await (await fetch(`${baseUrl}/sitemap.xml?page=1`)).text();
  const paths = [...inSitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, loc]) => new URL(loc).pathname);
  const some = (pattern) => paths.filter((path) => pattern.test(path)).slice(0, PAGES_OF_A_KIND);
  const lastPage = Math.ceil(total / 20);
  return {
    home: [
      '/',
      '/?page=2',
      '/?sort=name',
      '/?sort=score_asc',
      `/?page=${lastPage >> 1}`,
      `/?page=${lastPage}`,
    ],
    filtered: [
      '/?type=agent',
      '/?tier=low&category=coding',
      '/?verified=true',
      '/?category=data&sort=name&page=9',
    ],
    search: [
      ...['agent', 'mcp server', 'a', 'browser automation', 'nothing like this', 'git', 'data sql'].map(
        (words) => `/?q=${encodeURIComponent(words)}`,
      ),
      // What two thirds of the directory match, from the middle, and in another order.
      `/?q=a&page=${lastPage >> 1}`,
      '/?q=a&sort=name',
    ],
    'agent or skill': listed.map(({ id, type }) => `/${type === 'agent' ? 'a' : 's'}/id/${id}`),
    artifact: some(/^\/[as]\/[^/]+\/[^/]+\/[^/]+$/),
    creator: some(/^\/c\//),
    method: ['/method'],
    reference: ['/docs'],
    'not found': ['/a/nobody/nothing', '/c/nobody-of-this-name'],
    badge: listed.map(({ id, type }) => `/badge/${type}/${id}.svg`),
  };
}

function quantile(times, share) {
  return times.toSorted((one, other) => one - other)[Math.ceil(times.length * share) - 1];
}

await withServer({}, async ({ baseUrl }) => {
  const { total } = await readJson(`${baseUrl}/api/agents?limit=1`);
  console.log(
    `${total} agents and skills; ${ROUNDS} rounds after one to warm up; milliseconds to the first byte`,
  );
  for (const [kind, paths] of Object.entries(await pathsOn(baseUrl))) {
    const times = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const path of paths) {
        const took = await firstByte(baseUrl + path);
        if (round > 0) times.push(took);
      }
    }
    const [middle, most, worst] = [0.5, 0.95, 1].map((share) => quantile(times, share));
    console.log(
      `${kind} (${paths.length}): median ${middle.toFixed(1)}, 95% within ${most.toFixed(1)}, worst ${worst.toFixed(1)}`,
    );
    if (most > MOST_MS) process.exitCode = 1;
  }
});
connection.destroy();
