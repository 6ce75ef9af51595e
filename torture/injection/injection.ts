import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Connection } from '../../server/src/platform/database/connect.ts';
import { memoryFolder } from '../../server/testing/memory-folder.ts';
import { makeListing } from '../../server/testing/subjects/registry.factory.ts';
import { type Experiment, mustBeNone, mustHold } from '../experiment.ts';
import { scoreAfter } from '../scoring-upstream.ts';

/** Path of sqlmap as Debian installs it. */
const PROGRAM = '/usr/bin/sqlmap';
/** Time limit for each input. Exceeding the limit is reported, because an interrupted search proves nothing. */
const LONGEST_MS = 10 * 60_000;
const HOW = ['--batch', '--level=3', '--risk=2', '--dbms=postgresql', '--time-sec=3', '--threads=4'];
/** Option that makes sqlmap continue after these statuses, with which the server rightly refuses invalid input. */
const REFUSALS = '--ignore-code=400,401,404,405,414,422,429';

const LIST = '/api/agents?q=notes&tier=low&category=coding&sort=name&limit=20&offset=0';

/**
 * Lists the inputs whose text enters a statement, each with the parameter's name and the path to request. A `*` in the path
 * tells sqlmap to inject at this position of the path.
 */
function places(id: string, handle: string): [name: string, path: string][] {
  const ofList = ['q', 'tier', 'category', 'sort', 'limit', 'offset'];
  return [
    ...ofList.map((name): [string, string] => [name, LIST]),
    ['id', `/api/agents/${id}*`],
    ['handle', `/api/identity/${handle}*`],
  ];
}

/** B10: sqlmap searches every input of the directory's public reads for SQL injection. */
export const injection: Experiment = {
  id: 'B10',
  promise: 'sqlmap finds no way into a statement, and costs no reader an answer',
  unit: 'places',
  amount: { suite: 8, long: 8 },
  missing: () => (existsSync(PROGRAM) ? null : "Debian's package sqlmap is not installed"),
  async run(arena, amount) {
    const { database, url } = await arena.database();
    const upstream = await arena.upstream();
    upstream.behave(scoreAfter(0));
    const server = await arena.server(url, upstream.url);
    const { agentId, creator } = await makeListing(database, { name: 'notes', category: 'coding' });
    await makeListing(database, { name: 'more-notes', category: 'coding' });
    const folder = await mkdtemp(join(memoryFolder(), 'trust-directory-sqlmap-'));
    arena.atEnd(() => rm(folder, { recursive: true, force: true }));
    const weak = await openWeakServer(database);
    arena.atEnd(() => weak.close());
    const seen = await search(`${weak.url}/?q=notes`, 'q', join(folder, 'control'));
    mustHold(FOUND.test(seen.text), `sqlmap does not find what is open to all: ${seen.text.slice(-500)}`);
    await mustAnswerSomething(server.baseUrl);
    const found: string[] = [];
    const requests: Record<string, number | string> = {};
    for (const [name, path] of places(agentId, creator.handle).slice(0, amount)) {
      const { text, sent, isWhole } = await search(`${server.baseUrl}${path}`, name, folder);
      mustHold(/testing (URI|GET|if)/i.test(text), `sqlmap tested nothing at ${name}: ${text.slice(-500)}`);
      if (FOUND.test(text)) found.push(`${name}: ${text.slice(-2_000)}`);
      requests[name] = isWhole ? sent : `${sent}, given up`;
      arena.progress(Object.keys(requests).length);
    }
    mustBeNone(found);
    const live = (await fetch(`${server.baseUrl}/readyz`)).status;
    mustHold(live === 200, `the server answers ${live} afterwards`);
    return { places: Object.keys(requests).length, ...requests, findings: 0 };
  },
};

/** Expects that the list is not empty, because sqlmap detects injected conditions by how they change the results. */
async function mustAnswerSomething(baseUrl: string): Promise<void> {
  const { total } = (await (await fetch(baseUrl + LIST)).json()) as { total?: number };
  mustHold(total !== undefined && total > 1, `${LIST} lists ${total}`);
}

const FOUND = /identified the following injection point|is vulnerable/i;

/** Opens a server that concatenates its input into a statement: a control that sqlmap must find injectable. */
async function openWeakServer(database: Connection) {
  const server = createServer((request, response) => {
    const q = new URL(request.url ?? '', 'http://127.0.0.1').searchParams.get('q') ?? '';
    database.query(`SELECT handle FROM creator WHERE handle <> '${q}' ORDER BY handle`).then(
      (rows) => response.end(JSON.stringify(rows)),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: async () => void server.close() };
}

/**
 * Runs sqlmap on one input; returns its output, the number of requests that it sent, and whether it finished within the
 * time limit.
 */
async function search(
  url: string,
  name: string,
  folder: string,
): Promise<{ text: string; sent: number; isWhole: boolean }> {
  const where = url.includes('*') ? [] : ['-p', name];
  const traffic = join(folder, `${name}.txt`);
  const args = [
    '-u',
    url,
    '-t',
    traffic,
    ...where,
    ...HOW,
    REFUSALS,
    '--flush-session',
    `--output-dir=${join(folder, name)}`,
  ];
  const child = spawn(PROGRAM, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: LONGEST_MS });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += part));
  const [code] = await once(child, 'close');
  const sent = (await readFile(traffic, 'utf8')).match(/^HTTP request \[#\d+\]/gm)?.length ?? 0;
  return { text, sent, isWhole: code !== null };
}
