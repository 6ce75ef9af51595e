import { request as httpRequest, type IncomingMessage } from 'node:http';
import { fetch as undiciFetch } from 'undici';
import { describe, expect, it, vi } from 'vitest';
import { expectEveryRow } from '../../../server/testing/every-row.ts';
import { agent, freshRun, KEY, page } from '../../test/samples.ts';
import { standIn } from '../../test/stand-in.ts';
import { TrustDirectory } from '../client.ts';
import type { Fetch } from './client-options.ts';

/** Sends with node:http and responds like node-fetch, with custom headers and a Node stream as the body. */
const nodeFetch: Fetch = (url, { method, headers, body, signal }) =>
  new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers, signal }, (response: IncomingMessage) =>
      resolve({
        status: response.statusCode ?? 0,
        headers: new Headers(response.headers as Record<string, string>),
        body: response,
        text: () => Promise.reject(new Error('the body is read as a stream')),
      }),
    );
    request.on('error', reject).end(body);
  });

/** Sends with the global fetch and responds like a polyfill on XMLHttpRequest: without a stream. */
const textFetch: Fetch = async (url, init) => {
  const response = await fetch(url, init);
  return { status: response.status, headers: response.headers, text: () => response.text() };
};

const FETCHES: [name: string, fetch: Fetch | undefined][] = [
  ['none', undefined],
  ['the global one', fetch],
  ['undici', undiciFetch],
  ['node-fetch', nodeFetch],
  ['a polyfill', textFetch],
];

const run = { operation: 'agent_score', subject: 'a/b' } as const;

describe('a custom fetch', () => {
  it('gets address and init, and its answer is read: key, body, redirect, retry, request id', async () => {
    const check = async ([, own]: (typeof FETCHES)[number]) => {
      const server = await standIn(
        { status: 503, headers: { 'retry-after': '0' } },
        { body: freshRun, headers: { 'x-request-id': 'request-1' } },
        { status: 302, headers: { location: 'https://elsewhere.example' } },
        { body: { ...page, data: [{ ...agent, name: 'Größe 😀' }] } },
      );
      const client = new TrustDirectory({ baseUrl: server.url, apiKey: KEY, fetch: own });

      const { meta } = await client.operations.run(run);
      await expect(client.operations.run(run)).rejects.toMatchObject({ status: 302 });
      const { data } = await client.agents.list();

      expect(meta).toMatchObject({ attempts: 2, requestId: 'request-1' });
      expect(server.seen[1]).toMatchObject({ method: 'POST', authorization: `Bearer ${KEY}`, body: run });
      expect(data[0]?.name).toBe('Größe 😀');
    };

    await expectEveryRow(FETCHES, ([name]) => name, check);
  });

  it('is bounded by maxAnswerBytes and by the deadline', async () => {
    const check = async ([, own]: (typeof FETCHES)[number]) => {
      const server = await standIn({ body: page }, { instead: 'never' });
      const client = new TrustDirectory({ baseUrl: server.url, fetch: own, maxRetries: 0 });

      await expect(client.agents.list({}, { maxAnswerBytes: 5 })).rejects.toThrow('exceeds maxAnswerBytes');
      await expect(client.agents.list({}, { timeoutMs: 50 })).rejects.toMatchObject({ name: 'TimeoutError' });
    };

    await expectEveryRow(FETCHES, ([name]) => name, check);
  });

  it('gets the headers that a hook has changed', async () => {
    const check = async ([, own]: (typeof FETCHES)[number]) => {
      const server = await standIn({ status: 503, headers: { 'retry-after': '0' } }, { body: page });
      const seen = vi.fn();
      const hooks = {
        onRequest: (request: Request) => {
          seen(request.url);
          request.headers.append('prefer', 'example=empty');
        },
      };

      await new TrustDirectory({ baseUrl: server.url, fetch: own, hooks }).agents.list();

      expect(seen).toHaveBeenCalledWith(`${server.url}/api/agents`);
      expect(server.seen.map(({ prefer }) => prefer)).toEqual(['example=empty', 'example=empty']);
    };

    await expectEveryRow(FETCHES, ([name]) => name, check);
  });
});
