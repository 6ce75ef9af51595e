import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { withServer } from './bench-server.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const MOST_MS = 50;
/** Number of pages of each kind, from well-known ones to ones that are rarely requested. */
const PAGES_OF_A_KIND = 40;

const connection = new Agent({ keepAlive: true, maxSockets: 1 });

/** Measures the milliseconds until the first byte of a page on an open connection. */
async function firstByte(url, status) {
  const startedAt = performance.now();
  const asked = request(url, { agent: connection });
  asked.end();
  const [response] = await once(asked, 'response');
  await once(response, 'readable');
  const took = performance.now() - startedAt;
  response.resume();
  await once(response, 'end');
  if (response.statusCode !== status) throw new Error(`${response.statusCode} at ${url}`);
  return took;
}

async function readJson(url) {
  return (await fetch(url)).json();
}

async function addressesAt(url) {
  const xml = await (await fetch(url)).text();
  return [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(
    ([, address]) => new URL(address.replaceAll('&amp;', '&')),
  );
}

/** Returns the first paths that match each form. Reads as many parts of the sitemap as necessary. */
async function pathsInSitemap(baseUrl, forms) {
  const found = forms.map(() => []);
  for (const { pathname, search } of await addressesAt(`${baseUrl}/sitemap.xml`)) {
    const paths = (await addressesAt(baseUrl + pathname + search)).map((address) => address.pathname);
    for (const [place, form] of forms.entries())
      found[place].push(...paths.filter((path) => form.test(path)));
    if (found.every(({ length }) => length >= PAGES_OF_A_KIND)) break;
  }
  return found.map((paths) => paths.slice(0, PAGES_OF_A_KIND));
}

/** Returns paths of pages of every kind, spread evenly over the directory. */
async function pathsOn(baseUrl) {
  const { total } = await readJson(`${baseUrl}/api/agents?limit=1`);
  const listed = [];
  for (let place = 0; place < PAGES_OF_A_KIND; place += 1) {
    const offset = Math.floor((place / PAGES_OF_A_KIND) ** 2 * total);
    listed.push(...(await readJson(`${baseUrl}/api/agents?limit=1&offset=${offset}`)).data);
  }
  const [artifacts, creators] = await pathsInSitemap(baseUrl, [/^\/[as]\/[^/]+\/[^/]+\/[^/]+$/, /^\/c\//]);
  const lastPage = Math.ceil(total / 20);
  return {
    home: ['/'],
    list: [
      '/agents',
      '/agents?page=2',
      '/agents?sort=name',
      '/agents?sort=score_asc',
      `/agents?page=${lastPage >> 1}`,
      `/agents?page=${lastPage}`,
    ],
    filtered: [
      '/agents?type=agent',
      '/agents?tier=low&category=coding',
      '/agents?verified=true',
      '/agents?category=data&sort=name&page=9',
    ],
    search: [
      ...['agent', 'mcp server', 'a', 'browser automation', 'nothing like this', 'git', 'data sql'].map(
        (words) => `/agents?q=${encodeURIComponent(words)}`,
      ),
      // About two thirds of the directory match this text. Measure a page in the middle, and another sort order.
      `/agents?q=a&page=${lastPage >> 1}`,
      '/agents?q=a&sort=name',
    ],
    'agent or skill': listed.map(({ id, type }) => `/${type === 'agent' ? 'a' : 's'}/id/${id}`),
    artifact: artifacts,
    creator: creators,
    method: ['/method'],
    reference: ['/docs'],
    'not found': ['/a/nobody/nothing', '/c/nobody-of-this-name'],
    badge: listed.map(({ id, type }) => `/badge/${type}/${id}.svg`),
  };
}

function quantile(times, share) {
  return times.toSorted((one, other) => one - other)[Math.ceil(times.length * share) - 1];
}

// Disable the response cache, which would answer in a fraction of a millisecond: the figures are for uncached pages.
await withServer({ KEPT_ANSWERS_MB: '0' }, async ({ baseUrl }) => {
  const { total } = await readJson(`${baseUrl}/api/agents?limit=1`);
  console.log(
    `${total} agents and skills; ${ROUNDS} rounds after one to warm up; milliseconds to the first byte`,
  );
  for (const [kind, paths] of Object.entries(await pathsOn(baseUrl))) {
    if (paths.length === 0) {
      console.log(`${kind}: left out, the data have none`);
      continue;
    }
    const times = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const path of paths) {
        const took = await firstByte(baseUrl + path, kind === 'not found' ? 404 : 200);
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
