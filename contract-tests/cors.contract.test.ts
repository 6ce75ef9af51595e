import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BothTargets, openBothTargets, type Place } from './targets/both-targets.ts';
import { sendRaw } from './targets/server/raw-request.ts';

const ORIGIN = 'https://page.example';

let targets: BothTargets;
beforeAll(async () => {
  targets = await openBothTargets();
});
afterAll(() => targets?.stop());

/** Returns the status of an answer and its CORS headers, which tell a browser which pages may read the answer. */
async function readersOf({ url }: Place, method: string, path: string, asked?: string) {
  const headers = { Origin: ORIGIN, ...(asked && { 'Access-Control-Request-Method': asked }) };
  const answer = await sendRaw(url, { method, path, headers });
  const told = [...answer.headers].filter(([name]) => /^(access-control-.*|vary)$/.test(name));
  return { status: answer.status, ...Object.fromEntries(told) };
}

it.each([
  ['GET', '/api/agents', undefined, '*'],
  ['GET', '/api/agents/nobody', undefined, '*'],
  ['GET', '/openapi.yaml', undefined, '*'],
  ['GET', '/api/nothing', undefined, '*'],
  ['OPTIONS', '/api/agents', 'GET', '*'],
  ['POST', '/api/subjects/lookup', undefined, '*'],
  ['OPTIONS', '/api/subjects/lookup', 'POST', '*'],
  ['OPTIONS', '/api/subjects', 'HEAD', '*'],
  ['GET', '/api/receipts', undefined, undefined],
  ['POST', '/api/svc/operations/run', undefined, undefined],
  ['POST', '/api/agents/register', undefined, undefined],
  ['OPTIONS', '/api/svc/operations/run', 'POST', undefined],
  ['OPTIONS', '/api/receipts', 'GET', undefined],
  ['GET', '/api/console/keys', undefined, undefined],
  ['OPTIONS', '/api/console/keys', 'POST', undefined],
  ['GET', '/api/console/nothing', undefined, undefined],
])('%s %s (for %s) may be read by %s, on both targets', async (method, path, asked, readers) => {
  const [server, mock] = await Promise.all(
    [targets.server, targets.mock].map((place) => readersOf(place, method, path, asked)),
  );

  expect(mock).toEqual(server);
  expect(server?.['access-control-allow-origin' as 'status']).toBe(readers);
});

it('a page may name its client beside a public read, on both targets', async () => {
  const asked = { 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'x-client' };

  for (const { url } of [targets.server, targets.mock]) {
    const headers = { Origin: ORIGIN, ...asked };
    const answer = await sendRaw(url, { method: 'OPTIONS', path: '/api/agents', headers });

    expect(answer.headers.get('access-control-allow-headers')).toBe('x-client');
  }
});
