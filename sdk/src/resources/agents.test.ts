import { describe, expect, it } from 'vitest';
import { agent, KEY, page } from '../../test/samples.ts';
import { standIn } from '../../test/stand-in.ts';
import { TrustDirectory } from '../client.ts';

async function answeredBy(body: unknown, status = 200) {
  const server = await standIn({ body, status });
  return { server, client: new TrustDirectory({ baseUrl: server.url, apiKey: KEY }) };
}

describe('agents.list', () => {
  it('sends every filter and leaves out what is undefined', async () => {
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

  it('answers the page as it came, with fields that it does not know', async () => {
    const { client } = await answeredBy({ ...page, facets: [] });

    expect(await client.agents.list()).toEqual({ ...page, facets: [] });
  });
});

describe('agents.get and agents.lineage', () => {
  it('keep an id in its place in the path', async () => {
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

  it.each(['', '.', '..', '\ud800'])('refuse %j, which would lead elsewhere or nowhere', async (id) => {
    const { server, client } = await answeredBy(agent);

    await expect(client.agents.get(id)).rejects.toThrow(/^"\.*" is no id|^URI malformed/);
    await expect(client.agents.lineage(id)).rejects.toThrow(/^"\.*" is no id|^URI malformed/);
    await expect(client.identities.get(id)).rejects.toThrow(/^"\.*" is no id|^URI malformed/);
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
  it('answers id and page of the listing', async () => {
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
