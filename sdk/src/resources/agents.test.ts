import { describe, expect, it, vi } from 'vitest';
import { agent, KEY, page } from '../../test/samples.ts';
import { standIn } from '../../test/stand-in.ts';
import { TrustDirectory } from '../client.ts';
import { consoleOf } from '../console.ts';
import { ConfigurationError } from '../errors/errors.ts';
import { rawOf } from '../raw.ts';

async function answeredBy(body: unknown, status = 200) {
  const server = await standIn({ body, status });
  return { server, client: new TrustDirectory({ baseUrl: server.url, apiKey: KEY }) };
}

describe('agents.list', () => {
  it('sends every filter and omits undefined ones', async () => {
    const { server, client } = await answeredBy(page);

    await client.agents.list({
      q: 'tom & jerry',
      verified: false,
      tier: 'high',
      category: undefined,
      sort: 'name',
      limit: 5,
      offset: 0,
    });

    expect(server.seen[0]?.path).toBe(
      '/api/agents?q=tom%20%26%20jerry&verified=false&tier=high&sort=name&limit=5&offset=0',
    );
  });

  it('returns the page with unknown fields', async () => {
    const { client } = await answeredBy({ ...page, facets: [] });

    expect(await client.agents.list()).toEqual({ ...page, facets: [] });
  });
});

describe('agents.get and agents.lineage', () => {
  it('encode an id in the path', async () => {
    const { server, client } = await answeredBy({ ...agent, root: agent });

    await client.agents.get('AGT-7K2MQ9XD');
    await client.agents.lineage('AGT-7K2MQ9XD');
    await client.agents.get('../identity/x?y#z');

    expect(server.seen.map(({ path }) => path)).toEqual([
      '/api/agents/AGT-7K2MQ9XD',
      '/api/agents/AGT-7K2MQ9XD/lineage',
      '/api/agents/..%2Fidentity%2Fx%3Fy%23z',
    ]);
  });

  it.each(['', '.', '..', '\ud800'])('reject the id %j, which would change the path', async (id) => {
    const { server, client } = await answeredBy(agent);

    const place = { params: { path: { id } } };
    const raw = rawOf(client);
    for (const call of [
      () => client.agents.get(id),
      () => client.agents.lineage(id),
      () => client.identities.get(id),
      () => client.subjects.get(id),
      () => client.receipts.get(id),
      () => consoleOf(client).keys.revoke(id),
      () => consoleOf(client).linkedAccounts.remove(id),
      () => consoleOf(client).children.withdraw(id),
      () => raw.GET('/api/agents/{id}', place),
      () => raw.DELETE('/api/console/linked-accounts/{id}', place),
    ]) {
      const error = await call().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ConfigurationError);
      expect((error as Error).message).toMatch(/^\w+ must be well-formed text, not empty or dots\.$/);
    }
    expect(server.seen).toHaveLength(0);
  });

  it('reject a lone surrogate in a query, and call onError', async () => {
    const server = await standIn({ body: agent });
    const onError = vi.fn();
    const client = new TrustDirectory({ baseUrl: server.url, hooks: { onError } });

    await expect(client.agents.list({ q: 'a\ud800' })).rejects.toThrow(ConfigurationError);
    await expect(client.subjects.lookup('\udc00/b')).rejects.toThrow('subject must be well-formed text');

    expect(onError).toHaveBeenCalledTimes(2);
    expect(server.seen).toHaveLength(0);
  });
});

describe('identities.get', () => {
  it('reads a creator by handle, with a host too', async () => {
    const { server, client } = await answeredBy({ handle: 'example-labs' });

    expect(await client.identities.get('gitlab.com:example-labs')).toEqual({ handle: 'example-labs' });
    expect(server.seen[0]?.path).toBe('/api/identity/gitlab.com%3Aexample-labs');
  });
});

describe('agents.register', () => {
  it('returns id and URL of the listing', async () => {
    const registered = {
      id: 'AGT-5N6TYV2H',
      listingUrl: 'https://trust.example/example-labs/changelog-agent',
    };
    const { server, client } = await answeredBy(registered, 201);
    const body = {
      repoHostUrl: 'https://github.com/example-labs/changelog-agent',
      name: 'Changelog Agent',
      description: 'Drafts release notes.',
      category: 'coding',
    } as const;

    expect(await client.agents.register({ ...body, parentId: undefined })).toEqual(registered);
    expect(server.seen[0]).toMatchObject({ method: 'POST', path: '/api/agents/register', body });
  });
});
