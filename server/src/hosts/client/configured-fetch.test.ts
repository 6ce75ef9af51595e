import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConfiguredFetch, createConfiguredFetch } from './configured-fetch.ts';

let server: Server;
let url: string;
let out: ConfiguredFetch;
const requests: string[] = [];

const answers: Record<string, RequestListener> = {
  '/fine': (_request, response) => void response.writeHead(200, { 'x-own': 'a' }).end('{"fine":true}'),
  '/away': (_request, response) => void response.writeHead(302, { location: '/fine' }).end(),
  '/empty': (_request, response) => void response.writeHead(204).end(),
  '/silent': () => undefined,
  '/drip': (_request, response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(drip));
  },
  '/huge': (_request, response) => void response.writeHead(200).end('x'.repeat(2_001)),
  '/endless': (_request, response) => {
    response.writeHead(200);
    const more = () => response.write('x'.repeat(1_000));
    response.on('drain', more);
    more();
    more();
    more();
  },
  '/broken': (request) => void request.socket.destroy(),
};

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    answers[request.url ?? '']?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  out = createConfiguredFetch({ timeoutMs: 300, maxBytes: 2_000 });
});
afterAll(async () => {
  await out.close();
  server.closeAllConnections();
  server.close();
});

describe('a server that the operator named', () => {
  it('is called at any address, and its whole response is returned', async () => {
    const answer = await out.fetch(`${url}/fine`, { method: 'POST', body: new URLSearchParams({ a: 'b' }) });

    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-own')).toBe('a');
    expect(await answer.json()).toEqual({ fine: true });
    expect((await out.fetch(`${url}/empty`)).status).toBe(204);
  });

  it('is not followed to other addresses', async () => {
    requests.length = 0;

    expect((await out.fetch(`${url}/away`)).status).toBe(302);
    expect(requests).toEqual(['GET /away']);
  });

  it.each([
    ['/silent', 'timeout'],
    ['/drip', 'timeout'],
    ['/huge', 'too_large'],
    ['/endless', 'too_large'],
    ['/broken', 'no_answer'],
  ])('that answers as %s does is given up on: %s', async (path, kind) => {
    const started = performance.now();

    await expect(out.fetch(`${url}${path}`)).rejects.toMatchObject({ name: 'OutboundFailure', kind });
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('that is unreachable fails at once', async () => {
    await expect(out.fetch('http://127.0.0.1:1/')).rejects.toMatchObject({ kind: 'no_answer' });
  });
});
