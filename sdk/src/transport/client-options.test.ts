import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { expectEveryRow } from '../../../server/testing/every-row.ts';
import { freshRun, KEY, page } from '../../test/samples.ts';
import { standIn } from '../../test/stand-in.ts';
import { TrustDirectory } from '../client.ts';
import { listAgents } from '../directory.ts';
import { ConfigurationError } from '../errors/errors.ts';
import { type Fetch, resolveOptions } from './client-options.ts';

const baseUrl = 'https://trust.example';
const run = { operation: 'agent_score', subject: 'a/b' } as const;

beforeEach(() => {
  vi.stubEnv('TRUST_DIRECTORY_URL', '');
  vi.stubEnv('TRUST_DIRECTORY_API_KEY', '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

describe('baseUrl', () => {
  it('comes from the option or the environment', () => {
    vi.stubEnv('TRUST_DIRECTORY_URL', 'https://trust.example');

    expect(resolveOptions({}).baseUrl).toBe('https://trust.example/');
    expect(resolveOptions({ baseUrl: 'https://other.example/api' }).baseUrl).toBe(
      'https://other.example/api',
    );
  });

  it('is required: without it, an error names option and variable, and nothing is sent', () => {
    const sentence = 'baseUrl or TRUST_DIRECTORY_URL must be a plain http(s) URL string.';

    expect(() => new TrustDirectory()).toThrow(sentence);
    expect(() => listAgents()).toThrow(sentence);
    expect(() => new TrustDirectory()).toThrow(ConfigurationError);
  });

  it.each([
    'trust.example',
    '/api',
    'ftp://trust.example',
    'file:///etc/passwd',
    'https://user:secret@trust.example',
    'https://trust.example?x=1',
    'https://trust.example#x',
    'https://trust example',
    'https://[::1',
    'javascript:alert(1)',
  ])('can not be %s', (url) => {
    expect(() => resolveOptions({ baseUrl: url })).toThrow(ConfigurationError);
    expect(() => resolveOptions({ baseUrl: url })).not.toThrow(/secret/);
  });

  it.each([`${baseUrl}/base`, `${baseUrl}/base/`])('keeps its path: %s', async (url) => {
    const fetch = vi.fn(async (_url: string) => Response.json(page));

    await new TrustDirectory({ baseUrl: url, fetch }).agents.list({ q: '$&' });

    expect(fetch.mock.calls[0]?.[0]).toBe(`${baseUrl}/base/api/agents?q=%24%26`);
  });
});

/** Sends a run with a key to this address; returns `sent`, or the name of the error. */
async function runAt(url: string, options: object = {}): Promise<string> {
  const fetch: Fetch = async (_url, { headers }) =>
    Response.json({ ...freshRun, sent: headers.authorization });
  const client = new TrustDirectory({ apiKey: KEY, baseUrl: url, fetch, ...options });
  return client.operations.run(run).then(
    () => 'sent',
    ({ name }: Error) => name,
  );
}

describe('the key', () => {
  it.each([
    'https://trust.example',
    'http://localhost:4000',
    'http://LOCALHOST',
    'http://127.0.0.1:4000/base',
    'http://127.8.9.10',
    'http://0x7f000001:4000',
    'http://[::1]:4000',
  ])('may be sent to %s', async (url) => {
    expect(await runAt(url)).toBe('sent');
  });

  it.each([
    'http://trust.example',
    'http://192.168.0.7:4000',
    'http://0.0.0.0:4000',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'http://evil.example/localhost/',
    'http://[::2]:4000',
  ])('may be sent to %s only if it is allowed', async (url) => {
    expect(await runAt(url)).toBe('ConfigurationError');
    expect(await runAt(url, { allowInsecure: true })).toBe('sent');
  });

  it('comes from the option or the environment; null means none', () => {
    expect(resolveOptions({ baseUrl }).apiKey).toBe(null);

    vi.stubEnv('TRUST_DIRECTORY_API_KEY', KEY);
    expect(resolveOptions({ baseUrl }).apiKey).toBe(KEY);
    expect(resolveOptions({ baseUrl, apiKey: undefined }).apiKey).toBe(KEY);
    expect(resolveOptions({ baseUrl, apiKey: 'svc_live_other' }).apiKey).toBe('svc_live_other');
    expect(resolveOptions({ baseUrl, apiKey: null }).apiKey).toBe(null);
  });

  it('may have spaces and line ends around it, as files and shells leave them', async () => {
    const server = await standIn({ body: freshRun });

    await new TrustDirectory({ baseUrl: server.url, apiKey: ` ${KEY}\n` }).operations.run(run);

    expect(server.seen[0]?.authorization).toBe(`Bearer ${KEY}`);
  });

  it.each([`${KEY}\r\nX-Evil: 1`, `${KEY} ${KEY}`, `${KEY}\u0000`, `${KEY}ü`])(
    'that is invalid in a header is rejected and not shown',
    (apiKey) => {
      expect(() => resolveOptions({ baseUrl, apiKey })).toThrow(ConfigurationError);
      expect(() => resolveOptions({ baseUrl, apiKey })).not.toThrow(/svc_live_/);
    },
  );

  it('may come from an async function, called only for calls that take a key', async () => {
    const server = await standIn({ body: { ...page, ...freshRun } });
    const keys = ['key-1', 'key-2', 'key-3'];
    const apiKey = async () => `${keys.shift()}\n`;
    const client = new TrustDirectory({ baseUrl: server.url, apiKey });

    await client.operations.run(run);
    await client.agents.list();
    await client.operations.quote(run).catch(() => {});
    await client.operations.run(run, { apiKey: 'own' });
    await client.operations.run(run, { apiKey: null });

    expect(server.seen.map(({ authorization }) => authorization)).toEqual([
      'Bearer key-1',
      undefined,
      'Bearer key-2',
      'Bearer own',
      undefined,
    ]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error(`no ${KEY}`);
      },
      'HookError',
    ],
    ['rejects', () => Promise.reject(new Error('no vault')), 'HookError'],
    ['tells what no header can hold', () => `${KEY}\n${KEY}`, 'ConfigurationError'],
  ])('of a function that %s ends the call, and nothing is sent', async (_what, apiKey, name) => {
    const fetch = vi.fn(async () => Response.json(freshRun));

    const error = await new TrustDirectory({ baseUrl, fetch, apiKey: apiKey as () => string }).operations
      .run(run)
      .catch((reason) => reason);

    expect(error).toMatchObject({ name, attempts: 0 });
    expect(error.message).not.toContain(KEY);
    expect(fetch).not.toHaveBeenCalled();
  });

  it('ends with the deadline if its function never returns', async () => {
    const client = new TrustDirectory({
      baseUrl,
      apiKey: () => new Promise<string>(() => {}),
      timeoutMs: 20,
    });

    await expect(client.operations.run(run)).rejects.toMatchObject({ name: 'TimeoutError', attempts: 0 });
  });
});

describe('an invalid option is rejected by name', () => {
  const refused: [options: object, sentence: string][] = [
    [{ timeout: 5 }, 'Unknown option timeout; use apiKey, timeoutMs, maxRetries, '],
    [{ signal: new AbortController().signal }, 'Unknown option signal; use '],
    [{ constructor: 1 }, 'Unknown option constructor; use '],
    [{ timeoutMs: Number.NaN }, 'timeoutMs or TRUST_DIRECTORY_TIMEOUT_MS must be a number from 1.'],
    [{ timeoutMs: -1 }, 'timeoutMs or TRUST_DIRECTORY_TIMEOUT_MS must be a number from 1.'],
    [{ timeoutMs: 0 }, 'timeoutMs or TRUST_DIRECTORY_TIMEOUT_MS must be a number from 1.'],
    [{ timeoutMs: '50' }, 'timeoutMs or TRUST_DIRECTORY_TIMEOUT_MS must be a number from 1.'],
    [{ maxRetries: -1 }, 'maxRetries or TRUST_DIRECTORY_MAX_RETRIES must be a whole number from 0.'],
    [{ maxRetries: 1.5 }, 'maxRetries or TRUST_DIRECTORY_MAX_RETRIES must be a whole number from 0.'],
    [{ maxRetries: Number.NaN }, 'maxRetries or TRUST_DIRECTORY_MAX_RETRIES must be a whole number from 0.'],
    [{ maxAnswerBytes: 0 }, 'maxAnswerBytes must be a number from 1.'],
    [{ fetch: 'fetch' }, 'fetch must be a function.'],
    [{ allowInsecure: 'no' }, 'allowInsecure or TRUST_DIRECTORY_ALLOW_INSECURE must be a boolean'],
    [{ apiKey: 5 }, 'apiKey or TRUST_DIRECTORY_API_KEY must be a string, function or null.'],
    [
      { hooks: { onReqest: () => {} } },
      'hooks must be an object of onRequest, onResponse, onRetry, onError.',
    ],
    [{ hooks: () => {} }, 'hooks must be an object of onRequest, onResponse, onRetry, onError.'],
    [{ headers: { Authorization: KEY } }, 'headers must be an object of texts without authorization.'],
    [{ headers: { 'x-a': 'b\r\nx-c: d' } }, 'headers must be an object of texts without authorization.'],
  ];

  it('of a client', async () => {
    const check = ([options, sentence]: (typeof refused)[number]) => {
      expect(() => new TrustDirectory({ baseUrl, ...options })).toThrow(ConfigurationError);
      expect(() => new TrustDirectory({ baseUrl, ...options })).toThrow(sentence);
      expect(() => new TrustDirectory({ baseUrl, ...options })).not.toThrow(KEY);
    };

    await expectEveryRow(refused, ([options]) => inspect(options), check);
  });

  it.each([
    [{ timeout: 5 }, 'Unknown option timeout; use '],
    [{ baseUrl }, 'Unknown option baseUrl; use '],
    [{ maxRetries: Number.POSITIVE_INFINITY + -Number.POSITIVE_INFINITY }, 'maxRetries '],
    [{ signal: 'now' }, 'signal must be an AbortSignal object.'],
    [{ apiKey: `${KEY}\n${KEY}` }, 'apiKey or TRUST_DIRECTORY_API_KEY must be '],
  ])('of a call, which then sends nothing: %j', async (options, sentence) => {
    const fetch = vi.fn(async () => Response.json(page));
    const client = new TrustDirectory({ baseUrl, fetch });

    const error = await client.agents.list({}, options as object).catch((reason) => reason);

    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain(sentence);
    expect(fetch).not.toHaveBeenCalled();
  });

  it('apiKey of a function of /directory, which takes none', () => {
    expect(() => listAgents({}, { baseUrl, apiKey: KEY } as object)).toThrow('Unknown option apiKey; use ');
  });

  it('except undefined, which counts as omitted, and large numbers', () => {
    const options = { timeoutMs: undefined, hooks: { onRetry: undefined }, tiemout: undefined };

    expect(resolveOptions({ baseUrl, ...options })).toMatchObject({ timeoutMs: 50_000 });
    expect(resolveOptions({ baseUrl, timeoutMs: Number.POSITIVE_INFINITY, maxRetries: 1e6 })).toMatchObject({
      maxRetries: 1e6,
    });
  });
});

describe('the environment', () => {
  it('supplies omitted options; given options take precedence', () => {
    vi.stubEnv('TRUST_DIRECTORY_TIMEOUT_MS', '1500');
    vi.stubEnv('TRUST_DIRECTORY_MAX_RETRIES', '0');
    vi.stubEnv('TRUST_DIRECTORY_ALLOW_INSECURE', '1');
    vi.stubEnv('TRUST_DIRECTORY_URL', 'http://trust.example');

    expect(resolveOptions({})).toMatchObject({ timeoutMs: 1500, maxRetries: 0, allowInsecure: true });

    const options = { timeoutMs: 7, maxRetries: 5, allowInsecure: false };
    expect(resolveOptions(options)).toMatchObject(options);
  });

  it.each(['TIMEOUT_MS', 'MAX_RETRIES'])('must have a number as TRUST_DIRECTORY_%s', (name) => {
    vi.stubEnv(`TRUST_DIRECTORY_${name}`, 'soon');

    expect(() => resolveOptions({ baseUrl })).toThrow(`TRUST_DIRECTORY_${name}`);
  });

  it('may be absent, as in a browser', () => {
    vi.stubGlobal('process', undefined);

    expect(resolveOptions({ baseUrl })).toMatchObject({ apiKey: null, timeoutMs: 50_000 });
  });

  it('may be forbidden, as in Deno', () => {
    const forbidden = new Proxy({}, { get: () => expect.unreachable('no permission') });
    vi.stubGlobal('process', { env: forbidden });

    expect(resolveOptions({ baseUrl })).toMatchObject({ apiKey: null, timeoutMs: 50_000 });
  });
});
