import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { freshRun, KEY, operationError, page } from '../../test/samples.ts';
import { CLOSED_ADDRESS, standIn } from '../../test/stand-in.ts';
import { TrustDirectory } from '../client.ts';
import { ServiceUnavailableError } from '../errors/api-errors.ts';
import { type CallTrace, ConfigurationError, HookError } from '../errors/errors.ts';
import { rawOf } from '../raw.ts';
import type { Hooks } from './client-options.ts';
import { logTo } from './logger.ts';
import { mocked } from './mocked.ts';

const AT_ONCE = { 'retry-after': '0' };
const request = { operation: 'agent_score', subject: 'a/b', idempotency_key: 'order-1' } as const;

describe('hooks', () => {
  it('see every attempt and response with the trace', async () => {
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

  it('may add headers to the request', async () => {
    const server = await standIn({ body: page });
    const hooks: Hooks = { onRequest: ({ headers }) => headers.set('prefer', 'example=empty') };

    await new TrustDirectory({ baseUrl: server.url, hooks }).agents.list();

    expect(server.seen[0]?.prefer).toBe('example=empty');
  });

  it('are awaited, and get the elapsed time', async () => {
    const server = await standIn(
      { status: 503, headers: AT_ONCE },
      { status: 404, body: operationError('subject_not_found') },
    );
    const order: unknown[] = [];
    const traces = new Set<CallTrace>();
    const hook = (name: string) => async (_what: unknown, trace: CallTrace) => {
      traces.add(trace);
      const { elapsedMs } = trace;
      order.push([name, server.seen.length]);
      await new Promise((resolve) => setTimeout(resolve, 5));
      // Without awaiting, the next hook would start before this line.
      order.push(trace.elapsedMs > elapsedMs ? `${name} done` : 'no time passed');
    };
    const names = ['onRequest', 'onResponse', 'onRetry', 'onError'] as const;
    const hooks: Hooks = Object.fromEntries(names.map((name) => [name, hook(name)]));

    const error = await new TrustDirectory({ baseUrl: server.url, hooks }).agents
      .get('x')
      .catch((reason) => reason);

    expect(order).toEqual([
      ...[
        ['onRequest', 0],
        'onRequest done',
        ['onResponse', 1],
        'onResponse done',
        ['onRetry', 1],
        'onRetry done',
      ],
      ...[
        ['onRequest', 1],
        'onRequest done',
        ['onResponse', 2],
        'onResponse done',
        ['onError', 2],
        'onError done',
      ],
    ]);
    expect(traces.size).toBe(1);
    expect(error.elapsedMs).toBeGreaterThan(0);
    expect(error.elapsedMs).toBe(error.elapsedMs);
  });

  it('get the reason of a retry and the final error', async () => {
    const server = await standIn({ status: 500, headers: AT_ONCE }, { instead: 'reset' }, { status: 404 });
    const seen: unknown[] = [];
    const hooks: Hooks = {
      onRetry: ({ delayMs, status, error }) => seen.push([status, error?.name, delayMs < 2_000]),
      onError: (error) => seen.push(error),
    };

    const error = await new TrustDirectory({ baseUrl: server.url, hooks }).agents
      .get('x')
      .catch((reason) => reason);

    expect(seen).toEqual([[500, undefined, true], [undefined, 'ConnectionError', true], error]);
  });

  it('get errors of calls that sent nothing, timeouts and aborts', async () => {
    const server = await standIn({ instead: 'never' });
    const names: string[] = [];
    const hooks: Hooks = { onError: ({ name }) => names.push(name) };
    const client = new TrustDirectory({ baseUrl: server.url, hooks });

    await client.agents.list({}, { timeoutMs: 20 }).catch(() => {});
    await client.agents.list({}, { signal: AbortSignal.abort() }).catch(() => {});
    await client.agents.list({}, { tiemout: 1 } as object).catch(() => {});
    await rawOf(client)
      .GET('/api/agents', { signal: AbortSignal.abort() })
      .catch(() => {});

    expect(names).toEqual(['TimeoutError', 'AbortError', 'ConfigurationError', 'AbortError']);
  });

  it('may read the response body before the call does', async () => {
    const server = await standIn({ body: page });
    const bodies: unknown[] = [];
    const hooks: Hooks = { onResponse: async (response) => bodies.push(await response.json()) };

    expect(await new TrustDirectory({ baseUrl: server.url, hooks }).agents.list()).toEqual(page);
    expect(bodies).toEqual([page]);
  });

  const failing = ['onRequest', 'onResponse', 'onRetry', 'onError'] as const;
  const ways = [
    [
      'throws',
      (refusal: Error) => {
        throw refusal;
      },
    ],
    ['rejects', (refusal: Error) => Promise.reject(refusal)],
  ] as const;
  it.each(failing.flatMap((name) => ways.map(([way, fail]) => [name, way, fail] as const)))(
    '%s that %s fails its call with a typed error, without another attempt, and never the process',
    async (name, _way, fail) => {
      const unhandled = vi.fn();
      process.on('unhandledRejection', unhandled);
      onTestFinished(() => void process.off('unhandledRejection', unhandled));
      const server = await standIn({ status: 503, body: operationError('unavailable'), headers: AT_ONCE });
      const refusal = new Error(`sent with ${KEY}`);
      const client = new TrustDirectory({
        baseUrl: server.url,
        apiKey: KEY,
        hooks: { [name]: () => fail(refusal) },
      });

      const error = await client.operations.run(request, { maxRetries: 1 }).catch((reason) => reason);
      await new Promise(setImmediate);

      expect(error).toBeInstanceOf(HookError);
      expect(error).toMatchObject({
        hook: name,
        message: `${name} failed.`,
        cause: refusal,
        idempotencyKey: 'order-1',
      });
      const wasUnavailable = error.failure instanceof ServiceUnavailableError;
      expect(wasUnavailable).toBe(name === 'onError');
      expect(server.seen).toHaveLength({ onRequest: 0, onResponse: 1, onRetry: 1, onError: 2 }[name]);
      expect(unhandled).not.toHaveBeenCalled();
    },
  );

  it.each(failing)('%s that never ends is cut off by the deadline', async (name) => {
    const server = await standIn({ status: 503, headers: AT_ONCE });
    const hooks: Hooks = { [name]: () => new Promise(() => {}) };
    const client = new TrustDirectory({ baseUrl: server.url, hooks, timeoutMs: 100, maxRetries: 1 });

    await expect(client.agents.list()).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

describe('logTo', () => {
  /** Returns the log of a call with this response, with times as `0 ms`. */
  async function linesOf(baseUrl: string): Promise<string[]> {
    const lines: string[] = [];
    const logger = { debug: (line: string) => void lines.push(line.replaceAll(/\d+ ms/g, '0 ms')) };
    await new TrustDirectory({ baseUrl, apiKey: KEY, hooks: logTo(logger), maxRetries: 1 }).operations
      .run(request)
      .catch(() => {});
    return lines;
  }

  it('logs a line per response and retry', async () => {
    const server = await standIn(
      { status: 429, body: operationError('rate_limited'), headers: AT_ONCE },
      { body: freshRun },
    );

    const call = `POST ${server.url}/api/svc/operations/run`;
    expect(await linesOf(server.url)).toEqual([
      `${call} #1 0 ms: 429`,
      `${call} #1 0 ms: again in 0 ms`,
      `${call} #2 0 ms: 200`,
    ]);
  });

  it('logs network errors', async () => {
    const lines = await linesOf(CLOSED_ADDRESS);

    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/#1 0 ms: ConnectionError: No response: .*(ECONNREFUSED|bad port)/);
    expect(lines[1]).toMatch(/#1 0 ms: again in 0 ms$/);
  });

  it('logs a response that is too large once, as the error', async () => {
    const server = await standIn({ body: page });
    const lines: string[] = [];
    const hooks = logTo({ debug: (line) => void lines.push(line) });

    await new TrustDirectory({ baseUrl: server.url, hooks, maxAnswerBytes: 1 }).agents.list().catch(() => {});

    expect(lines).toEqual([
      expect.stringMatching(/ms: UnexpectedAnswerError: Response exceeds maxAnswerBytes\.$/),
    ]);
  });

  it('never logs the key or a body', async () => {
    const server = await standIn({ status: 400, body: operationError('invalid_request', { echo: KEY }) });

    const lines = await linesOf(`${server.url}/${KEY}`);

    expect(lines).not.toEqual([]);
    expect(lines.join('\n')).not.toMatch(new RegExp(`${KEY}|invalid_request`));
  });
});

describe('mocked', () => {
  it('requests an example and a status, for one call or all', async () => {
    const server = await standIn({ body: page });
    const client = new TrustDirectory({ baseUrl: server.url, ...mocked({ example: 'empty' }) });

    await client.agents.list();
    await client.agents.list({}, mocked({ code: 200, example: 'last_page', delay: undefined }));
    await new TrustDirectory({ baseUrl: server.url }).agents.list();

    expect(server.seen.map(({ prefer }) => prefer)).toEqual([
      'example=empty',
      'code=200, example=last_page',
      undefined,
    ]);
  });

  it.each([{ code: 4020 }, { code: '402\r\nx: y' }, { example: 'a b' }, { delay: -1 }, { delai: 1 }])(
    'refuses %j',
    (answer) => {
      expect(() => mocked(answer as object)).toThrow(ConfigurationError);
    },
  );
});
