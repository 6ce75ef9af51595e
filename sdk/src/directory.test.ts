import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { agent, directoryError, KEY, page, record } from '../test/samples.ts';
import { CLOSED_ADDRESS, standIn } from '../test/stand-in.ts';
import { changesOf } from './changes.ts';
import { TrustDirectory } from './client.ts';
import * as directory from './directory.ts';

beforeEach(() => void vi.stubEnv('TRUST_DIRECTORY_API_KEY', KEY));
afterEach(() => void vi.unstubAllEnvs());

/** A response body that every read accepts. */
const anything = {
  ...agent,
  ...page,
  ...record,
  root: agent,
  handle: 'example-labs',
  standing: 'unknown',
  jws: 'a.b.c',
  keys: [],
};

describe('the functions', () => {
  it('ask for what the client’s methods ask for, without any key', async () => {
    const server = await standIn({ body: anything });
    const client = new TrustDirectory({ baseUrl: server.url });
    const options = { baseUrl: server.url };
    const query = { q: 'tom & jerry/é', verified: false, category: undefined, limit: 5 };

    await client.agents.list(query);
    await client.agents.get('../x?y#z');
    await client.agents.lineage(agent.id);
    await client.identities.get('gitlab.com:example-labs');
    await client.subjects.lookup('npm:@a/b', { type: 'skill' });
    await client.subjects.get(record.canonical_id);
    await client.packages.get('npm:@a/b@1.0.0');
    await changesOf(client).list({ kinds: 'score' });
    const asked = server.seen.splice(0);
    await directory.listAgents(query, options);
    await directory.getAgent('../x?y#z', options);
    await directory.getAgentLineage(agent.id, options);
    await directory.getIdentity('gitlab.com:example-labs', options);
    await directory.lookupSubject('npm:@a/b', { type: 'skill' }, options);
    await directory.getSubject(record.canonical_id, options);
    await directory.getPackage('npm:@a/b@1.0.0', options);
    await directory.listChanges({ kinds: 'score' }, options);

    const lines = (seen: typeof asked) =>
      seen.map(({ method, path, authorization: key }) => [method, path, key]);
    expect(lines(server.seen)).toEqual(lines(asked));
    expect(asked).toHaveLength(8);
    expect(server.seen.every(({ authorization }) => authorization === undefined)).toBe(true);
  });

  it('ask for signed scores and the keys that verify them', async () => {
    const server = await standIn({ body: anything });
    const options = { baseUrl: server.url };

    await directory.getScoreSignature(record.canonical_id, options);
    await directory.listSigningKeys(options);

    expect(server.seen.map(({ method, path }) => [method, path])).toEqual([
      ['GET', `/api/subjects/${record.canonical_id}/signature`],
      ['GET', '/.well-known/jwks.json'],
    ]);
  });

  it('answer what came, with its response', async () => {
    const server = await standIn({ body: agent, headers: { 'x-request-id': 'request-9' } });
    vi.stubEnv('TRUST_DIRECTORY_URL', `${server.url}/base/`);

    const call = directory.getAgent(agent.id);

    expect(await call).toEqual(agent);
    expect(await call.withResponse()).toMatchObject({ meta: { requestId: 'request-9', attempts: 1 } });
    expect(server.seen.map(({ path }) => path)).toEqual([`/base/api/agents/${agent.id}`]);
  });

  it('page as the client does', async () => {
    const server = await standIn({ body: { ...page, nextCursor: 'x' } }, { body: page });
    const names: string[] = [];

    for await (const { name } of directory.listAgents({ limit: 1 }, { baseUrl: server.url }))
      names.push(name);

    expect(names).toEqual([agent.name, agent.name]);
    expect(server.seen.map(({ path }) => path)).toEqual([
      '/api/agents?limit=1',
      '/api/agents?limit=1&cursor=x',
    ]);
  });

  it('retry and fail as the client does, with the same classes', async () => {
    const server = await standIn(
      { status: 503, headers: { 'retry-after': '0' } },
      { status: 404, body: directoryError(404, 'not_found') },
    );

    const error = await directory.getAgent(agent.id, { baseUrl: server.url }).catch((thrown) => thrown);

    expect(error).toBeInstanceOf(directory.NotFoundError);
    expect(error).toMatchObject({ code: 'not_found', message: 'It failed: not_found.', attempts: 2 });
    const unreachable = directory.getAgent(agent.id, { baseUrl: CLOSED_ADDRESS, maxRetries: 0 });
    await expect(unreachable).rejects.toBeInstanceOf(directory.ConnectionError);
    const elsewhere = directory.getAgent('..', { baseUrl: server.url });
    await expect(elsewhere).rejects.toBeInstanceOf(directory.ConfigurationError);
  });

  it('take no page of a proxy for an answer, and end at the caller’s signal', async () => {
    const portal = await standIn({ body: '<h1>Welcome</h1>' });

    await expect(directory.getIdentity('x', { baseUrl: portal.url })).rejects.toBeInstanceOf(
      directory.UnexpectedAnswerError,
    );
    const aborted = directory.getIdentity('x', { baseUrl: portal.url, signal: AbortSignal.abort() });
    await expect(aborted).rejects.toBeInstanceOf(directory.AbortError);
    expect(portal.seen).toHaveLength(1);
  });
});
