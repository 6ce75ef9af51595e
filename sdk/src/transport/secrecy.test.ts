import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { agent, freshRun, KEY, page } from '../../test/samples.ts';
import { CLOSED_ADDRESS, standIn } from '../../test/stand-in.ts';
import { TrustDirectory } from '../client.ts';
import type { Fetch, FetchInit, TrustDirectoryOptions } from './client-options.ts';

const run = { operation: 'agent_score', subject: 'example-labs/changelog-agent' } as const;
const registration = {
  repoHostUrl: 'https://github.com/example-labs/changelog-agent',
  name: 'Changelog Agent',
  description: 'Drafts release notes.',
  category: 'coding',
} as const;

/** Returns everything that a log could print of a value. */
function printed(value: unknown): string {
  const deep = inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true });
  const { message = '', stack = '' } = (value ?? {}) as Partial<Error>;
  return [deep, String(value), message, stack, JSON.stringify(value)].join('\n');
}

async function failureOf(options: TrustDirectoryOptions): Promise<unknown> {
  const client = new TrustDirectory({
    apiKey: KEY,
    baseUrl: 'https://trust.example',
    maxRetries: 0,
    ...options,
  });
  return client.operations.run(run).then(
    () => expect.unreachable('the call should have failed'),
    (error) => error,
  );
}

describe('the key is never printed', () => {
  it('with the client or any part of it', async () => {
    const server = await standIn({ body: freshRun });
    const client = new TrustDirectory({ apiKey: KEY, baseUrl: server.url });
    await client.operations.run(run);

    expect(printed(client)).not.toContain(KEY);
    expect(printed([client.agents, client.identities, client.operations])).not.toContain(KEY);
    expect(server.seen[0]?.authorization).toBe(`Bearer ${KEY}`);
  });

  it.each([
    ['JSON', JSON.stringify({ error: `bad header: Bearer ${KEY}`, code: KEY, ledger_id: KEY })],
    ['text', `authorization: Bearer ${KEY}`],
  ])('with a response that echoes it (%s)', async (_, body) => {
    const server = await standIn({ status: 400, body });

    expect(printed(await failureOf({ baseUrl: server.url }))).not.toContain(KEY);
  });

  it('with a failed connection', async () => {
    expect(printed(await failureOf({ baseUrl: CLOSED_ADDRESS }))).not.toContain(KEY);
  });

  it('with what a custom fetch throws', async () => {
    const fetch: Fetch = async (_url, { headers: { authorization } }) => {
      const cause = Object.assign(new Error(`sent ${authorization}`), {
        code: KEY,
        request: { authorization },
      });
      throw Object.assign(new Error(`failed with ${authorization}`, { cause }), {
        headers: { authorization },
      });
    };

    const error = await failureOf({ fetch });

    expect(error).toMatchObject({ name: 'ConnectionError', message: 'No response: sent Bearer [key]' });
    expect(printed(error)).not.toContain(KEY);
  });

  it('with a timeout', async () => {
    const server = await standIn({ instead: 'never' });

    expect(printed(await failureOf({ baseUrl: server.url, timeoutMs: 50 }))).not.toContain(KEY);
  });
});

describe('the key is never sent', () => {
  it('over http to another machine; the call fails before anything is sent', async () => {
    const fetch = vi.fn(async () => Response.json(page));
    const client = new TrustDirectory({ apiKey: KEY, baseUrl: 'http://trust.example', fetch });

    for (const call of [() => client.operations.run(run), () => client.operations.quote(run)]) {
      await expect(call()).rejects.toMatchObject({ name: 'ConfigurationError', attempts: 0 });
    }
    await expect(client.agents.register(registration)).rejects.toMatchObject({ name: 'ConfigurationError' });
    expect(fetch).not.toHaveBeenCalled();

    await client.agents.list();
    expect(fetch).toHaveBeenCalledOnce();
  });

  it('with public reads', async () => {
    const server = await standIn({ body: { ...agent, ...page, root: agent } });
    const client = new TrustDirectory({ apiKey: KEY, baseUrl: server.url });

    await client.agents.list();
    await client.agents.get('AGT-7K2MQ9XD');
    await client.agents.lineage('AGT-7K2MQ9XD');

    expect(server.seen.map(({ authorization }) => authorization)).toEqual([undefined, undefined, undefined]);
  });

  it.each([301, 302, 303, 307, 308])('to the target of a redirect (%i)', async (status) => {
    const elsewhere = await standIn({ body: freshRun });
    const server = await standIn({
      status,
      headers: { location: `${elsewhere.url}/api/svc/operations/run` },
    });

    const error = await failureOf({ baseUrl: server.url });

    expect(error).toMatchObject({ name: 'ApiError', status });
    expect(elsewhere.seen).toHaveLength(0);
  });

  it('to a redirect that a browser hides', async () => {
    // A browser's fetch returns an opaque response for a redirect with `manual`.
    const opaque = {
      ok: false,
      status: 0,
      type: 'opaqueredirect',
      headers: new Headers(),
      body: null,
      text: async () => '',
    };

    const error = await failureOf({ fetch: async () => opaque });

    expect(error).toMatchObject({ name: 'ApiError', status: 302 });
  });

  it('over http to another machine, unless the caller allows it', async () => {
    const fetch = vi.fn(async (_url: string, { headers }: FetchInit) => {
      expect(headers.authorization).toBe(`Bearer ${KEY}`);
      return Response.json(freshRun);
    });
    const client = new TrustDirectory({
      apiKey: KEY,
      baseUrl: 'http://trust.example',
      fetch,
      allowInsecure: true,
    });

    await client.operations.run(run);

    expect(fetch).toHaveBeenCalledOnce();
  });
});

describe('public reads', () => {
  it('follow redirects, because they carry no key', async () => {
    const server = await standIn({ body: page });
    const moved = await standIn({ status: 308, headers: { location: `${server.url}/api/agents` } });

    expect(await new TrustDirectory({ baseUrl: moved.url, apiKey: KEY }).agents.list()).toEqual(page);
  });
});
