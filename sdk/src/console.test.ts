import { describe, expect, it } from 'vitest';
import { agent, KEY } from '../test/samples.ts';
import { standIn } from '../test/stand-in.ts';
import { TrustDirectory } from './client.ts';
import { consoleOf } from './console.ts';
import { UnexpectedAnswerError } from './errors/api-errors.ts';
import type { Fetch } from './transport/client-options.ts';

const account = { id: '0f8b2c1e-6a54-4c1d-9b0e-2f6d7a3c5e91', kind: 'repo_host', state: 'pending' };
const link = { kind: 'repo_host', host: 'github.com', handle: 'example-labs' } as const;
const claim = {
  agent,
  parentId: 'AGT-4R7TWX2M',
  relation: 'fork_of',
  acknowledgedAt: null,
  trustEquityFlow: 1,
};

describe('the console', () => {
  it('calls every endpoint of the console as the contract says', async () => {
    const server = await standIn(
      { body: { data: [account] } },
      { status: 201, body: account },
      { body: account },
      { status: 204 },
      { body: claim },
      { body: claim },
    );
    const { linkedAccounts, children } = consoleOf(new TrustDirectory({ baseUrl: server.url }));

    expect(await linkedAccounts.list()).toEqual({ data: [account] });
    expect(await linkedAccounts.link(link)).toEqual(account);
    expect(await linkedAccounts.verify(account.id)).toEqual(account);
    expect(await linkedAccounts.remove(account.id)).toBeUndefined();
    expect(await children.acknowledge(agent.id)).toEqual(claim);
    expect(await children.withdraw(agent.id)).toEqual(claim);

    expect(server.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/console/linked-accounts',
      'POST /api/console/linked-accounts',
      `POST /api/console/linked-accounts/${account.id}/verify`,
      `DELETE /api/console/linked-accounts/${account.id}`,
      `PUT /api/console/lineage/${agent.id}/acknowledgement`,
      `DELETE /api/console/lineage/${agent.id}/acknowledgement`,
    ]);
    expect(server.seen[1]?.body).toEqual(link);
  });

  it('iterates over the pages of child claims', async () => {
    const server = await standIn(
      { body: { data: [claim], nextCursor: 'second' } },
      { body: { data: [claim], nextCursor: null } },
    );
    const relations: string[] = [];

    const { children } = consoleOf(new TrustDirectory({ baseUrl: server.url }));
    for await (const { relation } of children.list({ acknowledged: false })) relations.push(relation);

    expect(relations).toEqual(['fork_of', 'fork_of']);
    expect(server.seen.map(({ path }) => path)).toEqual([
      '/api/console/lineage?acknowledged=false',
      '/api/console/lineage?acknowledged=false&cursor=second',
    ]);
  });

  it('iterates over the own agents and refreshes a score', async () => {
    const server = await standIn(
      { body: { data: [agent], nextCursor: 'second' } },
      { body: { data: [agent], nextCursor: null } },
      { body: agent },
    );
    const { agents } = consoleOf(new TrustDirectory({ baseUrl: server.url }));
    const names: string[] = [];

    for await (const { name } of agents.list({ limit: 1 })) names.push(name);

    expect(names).toEqual([agent.name, agent.name]);
    expect(await agents.refreshScore(agent.id)).toEqual(agent);
    expect(server.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/console/agents?limit=1',
      'GET /api/console/agents?limit=1&cursor=second',
      `POST /api/console/agents/${agent.id}/score`,
    ]);
  });

  it('reads and changes the account, its keys and its usage', async () => {
    const session = { account: { id: account.id, handle: null, plan: 'free' } };
    const balance = { plan: 'free', buckets: [] };
    const key = { id: account.id, state: 'active' };
    const server = await standIn(
      { body: session },
      { body: balance },
      { body: balance },
      { body: session },
      { status: 201, body: { key, secret: KEY } },
      { body: key },
      { body: key },
      { body: key },
      { body: { ended: 2 } },
      { status: 204 },
    );
    const { account: mine, keys } = consoleOf(new TrustDirectory({ baseUrl: server.url }));

    expect(await mine.session()).toEqual(session);
    expect(await mine.balance()).toEqual(balance);
    expect(await mine.setOverage({ enabled: true, cap: 5 })).toEqual(balance);
    expect(await mine.setHandle('example-labs')).toEqual(session);
    expect(await keys.create({ scopes: ['scores:read'] })).toEqual({ key, secret: KEY });
    for (const change of [keys.pause, keys.resume, keys.revoke]) expect(await change(key.id)).toEqual(key);
    expect(await mine.signOutEverywhere()).toEqual({ ended: 2 });
    expect(await mine.signOut()).toBeUndefined();

    expect(server.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/console/session',
      'GET /api/console/balance',
      'PUT /api/console/overage',
      'PUT /api/console/handle',
      'POST /api/console/keys',
      `POST /api/console/keys/${key.id}/pause`,
      `POST /api/console/keys/${key.id}/resume`,
      `DELETE /api/console/keys/${key.id}`,
      'DELETE /api/console/sessions',
      'DELETE /api/console/session',
    ]);
    expect(server.seen.slice(2, 5).map(({ body }) => body)).toEqual([
      { enabled: true, cap: 5 },
      { handle: 'example-labs' },
      { scopes: ['scores:read'] },
    ]);
  });

  it('iterates over usage past an empty page, and reads the CSV file as text', async () => {
    const row = { day: '2026-11-20', operation: 'agent_score' };
    const file = 'day,operation\r\n2026-11-20,agent_score\r\n';
    const server = await standIn(
      { body: { data: [], nextCursor: 'second' } },
      { body: { data: [row], nextCursor: null } },
      { body: file },
      { body: { data: [] } },
    );
    const { usage } = consoleOf(new TrustDirectory({ baseUrl: server.url }));
    const days: string[] = [];

    for await (const { day } of usage.list({ from: '2026-11-01' })) days.push(day);

    expect(days).toEqual(['2026-11-20']);
    expect(await usage.csv({ from: '2026-11-01' })).toBe(file);
    await expect(usage.csv()).rejects.toBeInstanceOf(UnexpectedAnswerError);
    expect(server.seen[2]?.path).toBe('/api/console/usage.csv?from=2026-11-01');
  });

  it('sends the session of a custom fetch and never the key, which would take precedence', async () => {
    const server = await standIn({ body: { data: [] } });
    const fetch: Fetch = (url, init) =>
      globalThis.fetch(url, { ...init, headers: { ...init.headers, cookie: 'sid=secret' } });

    await consoleOf(new TrustDirectory({ baseUrl: server.url, apiKey: KEY, fetch })).linkedAccounts.list();

    expect(server.seen[0]).toMatchObject({ authorization: undefined, cookie: 'sid=secret' });
  });

  it('retries writes only after 429, and reads like other reads', async () => {
    const again = { 'retry-after': '0' };
    const busy = await standIn({ status: 429, headers: again }, { body: account });
    const broken = await standIn({ status: 503, headers: again });
    const consoleAt = (baseUrl: string) => consoleOf(new TrustDirectory({ baseUrl })).linkedAccounts;

    expect(await consoleAt(busy.url).link(link)).toEqual(account);
    await expect(consoleAt(broken.url).link(link)).rejects.toMatchObject({ status: 503, attempts: 1 });
    await expect(consoleAt(broken.url).list()).rejects.toMatchObject({ status: 503, attempts: 3 });
  });
});
