import { describe, expect, it, vi } from 'vitest';
import { freshRun, KEY, operationError, page } from '../test/samples.ts';
import { CLOSED_ADDRESS, standIn } from '../test/stand-in.ts';
import { TrustDirectory } from './client.ts';
import type { Hooks } from './settings.ts';

const AT_ONCE = { 'retry-after': '0' };
const request = { operation: 'agent_score', subject: 'a/b', idempotency_key: 'order-1' } as const;

describe('hooks', () => {
  it('see every attempt and every answer, with what the call knows of itself', async () => {
    const server = await standIn(
      { status: 503, headers: { ...AT_ONCE, 'x-request-id': 'first' } },
      { body: freshRun, headers: { 'x-request-id': 'second' } },
    );
    const seen: unknown[] = [];
    const hooks: Hooks = {
      onRequest: ({ method, headers }, { attempts, idempotencyKey }) =>
        seen.push([method, headers.get('authorization'), attempts, idempotencyKey]),
      onResponse: ({ status }, { attempts, requestId }) => seen.push([status, attempts, requestId]),
    };

    await new TrustDirectory({ baseUrl: server.url, apiKey: KEY, hooks }).operations.run(request);

    expect(seen).toEqual([
      ['POST', `Bearer ${KEY}`, 1, 'order-1'],
      [503, 1, 'first'],
      ['POST', `Bearer ${KEY}`, 2, 'order-1'],
      [200, 2, 'second'],
    ]);
  });

  it('may add headers to what is sent', async () => {
    const server = await standIn({ body: page });
    const hooks: Hooks = { onRequest: ({ headers }) => headers.set('prefer', 'example=empty') };

    await new TrustDirectory({ baseUrl: server.url, hooks }).agents.list();

    expect(server.seen[0]?.prefer).toBe('example=empty');
  });

  it.each(['onRequest', 'onResponse'] as const)('(%s) end the call with what they throw', async (name) => {
    const server = await standIn({ body: page });
    const refusal = new Error('not today');
    const hooks: Hooks = {
      [name]: () => {
        throw refusal;
      },
    };

    const call = new TrustDirectory({ baseUrl: server.url, hooks }).agents.list();

    await expect(call).rejects.toBe(refusal);
    expect(server.seen).toHaveLength(name === 'onRequest' ? 0 : 1);
  });
});

describe('the logger', () => {
  /** What a call with this answer says to its logger. */
  async function linesOf(baseUrl: string): Promise<string[]> {
    const lines: string[] = [];
    const logger = { debug: (line: string) => void lines.push(line) };
    await new TrustDirectory({ baseUrl, apiKey: KEY, logger, maxRetries: 1 }).operations
      .run(request)
      .catch(() => {});
    return lines;
  }

  it('is told of each attempt and wait, in one line each', async () => {
    const server = await standIn(
      { status: 429, body: operationError('rate_limited'), headers: AT_ONCE },
      { body: freshRun },
    );

    const call = `POST ${server.url}/api/svc/operations/run`;
    expect(await linesOf(server.url)).toEqual([
      `${call} #1: 429`,
      `${call} #1: again in 0 ms`,
      `${call} #2: 200`,
    ]);
  });

  it('is told why no answer came', async () => {
    const lines = await linesOf(CLOSED_ADDRESS);

    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/#1: ConnectionError: No answer: .*(ECONNREFUSED|bad port)/);
    expect(lines[1]).toMatch(/#1: again in \d+ ms$/);
  });

  it('never sees the key or a body', async () => {
    const server = await standIn({ status: 400, body: operationError('invalid_request', { echo: KEY }) });

    const lines = await linesOf(`${server.url}/${KEY}`);

    expect(lines).not.toEqual([]);
    expect(lines.join('\n')).not.toMatch(new RegExp(`${KEY}|invalid_request`));
  });

  it('is the console where TRUST_DIRECTORY_DEBUG is set', async () => {
    const debug = vi.spyOn(console, 'debug').mockImplementation(() => {});
    const server = await standIn({ body: page });

    await new TrustDirectory({ baseUrl: server.url }).agents.list();
    expect(debug).not.toHaveBeenCalled();

    vi.stubEnv('TRUST_DIRECTORY_DEBUG', '1');
    await new TrustDirectory({ baseUrl: server.url }).agents.list();
    expect(debug).toHaveBeenCalledExactlyOnceWith(`GET ${server.url}/api/agents #1: 200`);
    vi.unstubAllEnvs();
    debug.mockRestore();
  });
});

describe('mock', () => {
  it('asks the mock for an example and a status, of one call or of all', async () => {
    const server = await standIn({ body: page });
    const client = new TrustDirectory({ baseUrl: server.url, mock: { example: 'empty' } });

    await client.agents.list();
    await client.agents.list({}, { mock: { code: 200, example: 'last_page', delay: undefined } });
    await new TrustDirectory({ baseUrl: server.url }).agents.list();

    expect(server.seen.map(({ prefer }) => prefer)).toEqual([
      'example=empty',
      'code=200, example=last_page',
      undefined,
    ]);
  });
});
