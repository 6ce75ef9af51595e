import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { at } from '../contract-examples.ts';
import { openPrismInFront, type PrismInFront } from './through-prism.ts';

const RUN = '/api/svc/operations/run';
const PAGE = at('#/components/examples/AgentPageWithNext/value').node;
const HEADERS = {
  'content-type': 'application/json',
  'x-request-id': '0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10',
  'x-ratelimit-limit': '120',
  'x-ratelimit-remaining': '119',
  'x-ratelimit-reset': '60',
  'cache-control': 'no-cache',
  etag: 'W/"x"',
};

let inFront: PrismInFront;
let server: Server;
let url: string;
/** Answer that the server gives to every request. */
let answer: { status: number; body: unknown };
let arrived: number;

beforeEach(async () => {
  inFront = openPrismInFront();
  arrived = 0;
  server = createServer((_request, response) => {
    arrived += 1;
    response.writeHead(answer.status, HEADERS).end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await inFront.stop();
  server.closeAllConnections();
  server.close();
});

const post = (body: unknown) =>
  new Request(`${url}${RUN}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer any' },
    body: JSON.stringify(body),
  });

describe('Prism before a server', { timeout: 30_000 }, () => {
  it('lets an answer by the contract through, and notes it', async () => {
    answer = { status: 200, body: PAGE };

    const response = await inFront.send(new Request(`${url}/api/agents`));

    expect(await response.json()).toEqual(PAGE);
    expect([...inFront.passed]).toEqual(['listAgents 200']);
  });

  it.each([
    ['a member of the wrong type', { status: 200, body: { ...(PAGE as object), total: 'many' } }],
    ['a missing member', { status: 200, body: { data: [] } }],
  ])('reports %s', async (_name, wrong) => {
    answer = wrong;

    await expect(inFront.send(new Request(`${url}/api/agents`))).rejects.toThrow('Prism reports VIOLATIONS');
    const raw = inFront.sendRaw(url, { method: 'GET', path: '/api/agents' });
    await expect(raw).rejects.toThrow('Prism reports VIOLATIONS');
    expect([...inFront.passed]).toEqual([]);
  });

  it('sends what Prism refuses straight to the server, which has to refuse it too', async () => {
    answer = { status: 400, body: {} };

    const response = await inFront.send(post({ operation: 'agent_score' }));

    expect(response.status).toBe(400);
    expect(arrived).toBe(1);
    answer = { status: 200, body: {} };
    await expect(inFront.send(post({ operation: 'agent_score' }))).rejects.toThrow(
      'Prism refuses a request that the server answers with 200',
    );
  });

  it('sends every request once', async () => {
    answer = { status: 200, body: PAGE };

    await inFront.send(new Request(`${url}/api/agents?limit=2`));

    expect(arrived).toBe(1);
  });
});
