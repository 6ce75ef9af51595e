import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { expectEveryRow } from '../../server/testing/every-row.ts';
import { freshRun, KEY, page, record } from '../test/samples.ts';
import { TrustDirectory } from './client.ts';
import { consoleOf } from './console.ts';
import { getAgent, getPackage, lookupSubject } from './directory.ts';
import { ConfigurationError } from './errors/errors.ts';
import { rawOf } from './raw.ts';
import type { Fetch, FetchInit, HeadersInput } from './transport/client-options.ts';

const baseUrl = 'https://trust.example';
const run = { operation: 'agent_score', subject: 'a/b' } as const;

afterEach(() => vi.unstubAllEnvs());

/** Records what a client sends, and answers with a fresh run. */
function recorder() {
  const sent: (FetchInit & { url: string })[] = [];
  const fetch: Fetch = async (url, init) => {
    sent.push({ url, ...init });
    return Response.json({ ...page, ...freshRun });
  };
  return { sent, fetch };
}

describe('withOptions', () => {
  it('returns a copy with some options changed, and leaves the client as it is', async () => {
    const { sent, fetch } = recorder();
    const client = new TrustDirectory({ baseUrl, apiKey: KEY, fetch, headers: { 'x-tenant': 'a' } });

    const other = client.withOptions({ baseUrl: 'https://other.example/', headers: { 'x-tenant': 'b' } });
    await other.operations.run(run);
    await client.operations.run(run);

    expect(
      sent.map(({ url, headers }) => [new URL(url).host, headers['x-tenant'], headers.authorization]),
    ).toEqual([
      ['other.example', 'b', `Bearer ${KEY}`],
      ['trust.example', 'a', `Bearer ${KEY}`],
    ]);
  });

  it('keeps what came from the environment, and changes nothing by undefined', async () => {
    const { sent, fetch } = recorder();
    vi.stubEnv('TRUST_DIRECTORY_URL', baseUrl);
    vi.stubEnv('TRUST_DIRECTORY_API_KEY', KEY);
    const client = new TrustDirectory({ fetch });
    vi.stubEnv('TRUST_DIRECTORY_URL', 'https://later.example');
    vi.stubEnv('TRUST_DIRECTORY_API_KEY', 'svc_live_later');

    await client.withOptions({ apiKey: undefined, timeoutMs: 1_000 }).operations.run(run);
    await client.withOptions({ apiKey: null }).operations.run(run);

    expect(sent.map(({ url, headers }) => [new URL(url).host, headers.authorization])).toEqual([
      ['trust.example', `Bearer ${KEY}`],
      ['trust.example', undefined],
    ]);
  });

  it('refuses an invalid option, and shows neither key nor value', () => {
    const client = new TrustDirectory({ baseUrl, apiKey: KEY });
    const copy = client.withOptions({ maxRetries: 0 });

    for (const changes of [
      { apiKey: `${KEY}\n${KEY}` },
      { signal: KEY },
      { headers: { Authorization: KEY } },
    ]) {
      expect(() => client.withOptions(changes as object)).toThrow(ConfigurationError);
      expect(() => client.withOptions(changes as object)).not.toThrow(KEY);
    }
    expect(inspect(copy, { depth: 9, showHidden: true, getters: true })).not.toContain(KEY);
  });

  it('returns a client of the same class', () => {
    class OwnClient extends TrustDirectory {
      readonly own = true;
    }

    expect(new OwnClient({ baseUrl }).withOptions({ timeoutMs: 5 })).toBeInstanceOf(OwnClient);
  });
});

describe('headers', () => {
  const forms: [HeadersInput, string | null][] = [
    [{ 'X-Tenant': 'a' }, 'a'],
    [new Headers({ 'x-tenant': 'a' }), 'a'],
    [[['X-Tenant', 'a']], 'a'],
    [new Map([['x-tenant', 'a']]), 'a'],
    [
      [
        ['x-tenant', 'a'],
        ['X-Tenant', 'b'],
      ],
      'a, b',
    ],
    [[], null],
  ];

  it('may be an object, a Headers object or pairs, for a client, a call and a function of /directory', async () => {
    const check = async ([headers, expected]: (typeof forms)[number]) => {
      const { sent, fetch } = recorder();
      await new TrustDirectory({ baseUrl, fetch, headers }).agents.list();
      await new TrustDirectory({ baseUrl, fetch }).agents.list({}, { headers });
      await lookupSubject('a/b', {}, { baseUrl, headers, fetch: async () => Response.json(record) });
      expect(sent.map((each) => each.headers['x-tenant'] ?? null)).toEqual([expected, expected]);
    };

    await expectEveryRow(forms, ([headers]) => inspect(headers), check);
  });

  it('in no form may hold a credential or anything that is no pair of texts', async () => {
    const refused: unknown[] = [
      new Headers({ authorization: KEY }),
      [['Authorization', KEY]],
      new Map([['AUTHORIZATION', KEY]]),
      [['x-a', 'b\r\nx-c: d']],
      [['x-a', 'b', 'c']],
      [['x-a']],
      ['ab'],
      [1],
      [null],
      [['x a', 'b']],
    ];
    const check = (headers: unknown) => {
      const build = () => new TrustDirectory({ baseUrl, headers: headers as HeadersInput });
      expect(build).toThrow(ConfigurationError);
      expect(build).not.toThrow(KEY);
    };

    await expectEveryRow(refused, (headers) => inspect(headers), check);
  });
});

describe('a wrong id', () => {
  const ids: unknown[] = [
    undefined,
    null,
    '',
    ' ',
    '.',
    '..',
    ' .. ',
    '\ud800',
    7,
    {},
    ['AGT-7K2MQ9XD'],
    Symbol('id'),
  ];

  it('is a ConfigurationError of every method that takes one, and nothing is sent', async () => {
    const { sent, fetch } = recorder();
    const client = new TrustDirectory({ baseUrl, apiKey: KEY, fetch });
    const { keys, children, agents, linkedAccounts } = consoleOf(client);
    const options = { baseUrl, fetch };
    const methods: ((id: never) => Promise<unknown>)[] = [
      client.agents.get,
      client.agents.lineage,
      client.identities.get,
      client.subjects.get,
      client.subjects.lookup,
      client.packages.get,
      client.receipts.get,
      keys.pause,
      keys.revoke,
      children.acknowledge,
      agents.refreshScore,
      linkedAccounts.verify,
      (id) => getAgent(id, options),
      (id) => getPackage(id, options),
      (id) => lookupSubject(id, {}, options),
      (id) => rawOf(client).GET('/api/agents/{id}', { params: { path: { id } } }),
    ];
    const rows = methods.flatMap((method) => ids.map((id) => [method, id] as const));

    await expectEveryRow(
      rows,
      ([method, id]) => `${method} ${inspect(id)}`,
      async ([method, id]) => {
        const error = (await method(id as never).catch((reason) => reason)) as ConfigurationError;
        expect(error).toBeInstanceOf(ConfigurationError);
        expect(error.attempts).toBe(0);
      },
    );
    expect(sent).toEqual([]);
  });
});
