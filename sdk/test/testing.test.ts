import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { documentedResponses } from '../../contract-tests/contract-examples.ts';
import { expectEveryRow } from '../../server/testing/every-row.ts';
import { balanceOf } from '../src/balance.ts';
import { changesOf } from '../src/changes.ts';
import { TrustDirectory } from '../src/client.ts';
import { consoleOf } from '../src/console.ts';
import { getScoreSignature, listSigningKeys } from '../src/directory.ts';
import { type ApiError, errorClassFor } from '../src/errors/api-errors.ts';
import { rawOf } from '../src/raw.ts';
import { scoresOf } from '../src/scores.ts';
import { type Endpoint, example, exampleNames, handlers, reply } from '../src/testing/index.ts';
import { KEY } from './samples.ts';

const service = setupServer();
beforeAll(() => service.listen({ onUnhandledRequest: 'error' }));
afterEach(() => service.resetHandlers());
afterAll(() => service.close());

const client = new TrustDirectory({ baseUrl: 'https://trust.example', apiKey: KEY, maxRetries: 0 });
const console = consoleOf(client);
const raw = rawOf(client);
const scores = scoresOf(client);
const reads = { baseUrl: 'https://trust.example', maxRetries: 0 };
const id = 'AGT-7K2MQ9XD';
const uuid = '8f14e45f-ceea-4e67-a5d1-3c9f2b7a6d10';
const named = { params: { path: { id: uuid } } };
const child = { params: { path: { childId: id } } };
const link = { kind: 'repo_host', host: 'github.com', handle: 'example-labs' } as const;
const score = { operation: 'agent_score', subject: 'a/b' } as const;
const registration = {
  repoHostUrl: 'https://github.com/a/b',
  name: 'b',
  description: 'b',
  category: 'coding',
} as const;

/** A call per endpoint, with the client's method if there is one. */
const CALLS: Record<Endpoint, () => Promise<unknown>> = {
  listAgents: () => client.agents.list(),
  getAgent: () => client.agents.get(id),
  getAgentLineage: () => client.agents.lineage(id),
  getIdentity: () => client.identities.get('example-labs'),
  lookupSubject: () => client.subjects.lookup('a/b'),
  lookupSubjects: () => client.subjects.lookupMany(['a/b']),
  getSubject: () => client.subjects.get(uuid),
  listChanges: () => changesOf(client).list(),
  explainScore: () => scores.explain(uuid),
  listScoreHistory: () => scores.history(uuid),
  compareScores: () => scores.difference(uuid),
  getScoreSignature: () => getScoreSignature(uuid, reads),
  listSigningKeys: () => listSigningKeys(reads),
  getPackage: () => client.packages.get('npm:a'),
  registerAgent: () => client.agents.register(registration),
  runOperation: () => client.operations.run(score),
  readBalance: () => balanceOf(client).get(),
  readUsage: () => balanceOf(client).usage(),
  listReceipts: () => client.receipts.list(),
  getReceipt: () => client.receipts.get(uuid),
  getSession: () => console.account.session(),
  signOut: () => console.account.signOut(),
  signOutEverywhere: () => console.account.signOutEverywhere(),
  getBalance: () => console.account.balance(),
  setOverage: () => console.account.setOverage({ enabled: false }),
  setHandle: () => console.account.setHandle('example-labs'),
  listKeys: () => console.keys.list(),
  createKey: () => console.keys.create({ scopes: ['scores:read'] }),
  setKeyLimits: () => console.keys.limit(uuid, { monthly_calls: 1, monthly_credits: null }),
  pauseKey: () => console.keys.pause(uuid),
  resumeKey: () => console.keys.resume(uuid),
  revokeKey: () => console.keys.revoke(uuid),
  listUsage: () => console.usage.list(),
  exportUsage: () => console.usage.csv(),
  listLinkedAccounts: () => raw.GET('/api/console/linked-accounts'),
  linkAccount: () => raw.POST('/api/console/linked-accounts', { body: link }),
  removeLinkedAccount: () => raw.DELETE('/api/console/linked-accounts/{id}', named),
  verifyLinkedAccount: () => raw.POST('/api/console/linked-accounts/{id}/verify', named),
  listOwnAgents: () => console.agents.list(),
  refreshScore: () => console.agents.refreshScore(id),
  listChildren: () => raw.GET('/api/console/lineage'),
  acknowledgeChild: () => raw.PUT('/api/console/lineage/{childId}/acknowledgement', child),
  withdrawAcknowledgement: () => raw.DELETE('/api/console/lineage/{childId}/acknowledgement', child),
};

/** All responses of the contract by their name in this package. */
const ANSWERS = documentedResponses()
  .filter(({ operation }) => operation !== 'scoreSubject')
  .flatMap(({ operation, status, media }) =>
    Object.entries(media?.examples ?? { [status === '204' ? 'no_content' : 'not_modified']: null }).map(
      ([name, body]) => {
        const names = exampleNames(operation as Endpoint);
        const withStatus = `${name}_${status}`;
        return {
          endpoint: operation as Endpoint,
          status: Number(status),
          name: (names.includes(withStatus) ? withStatus : name) as never,
          body,
        };
      },
    ),
  );
const FAILURES = ANSWERS.filter(({ status }) => status >= 400);

it('has a builder for each example of the contract, and no other', () => {
  const built = ANSWERS.map(({ endpoint, name }) => [endpoint, name, example(endpoint, name)]);

  expect(built).toEqual(ANSWERS.map(({ endpoint, name, body }) => [endpoint, name, body]));
  const names = Object.keys(CALLS).flatMap((endpoint) => exampleNames(endpoint as Endpoint));
  expect(names).toHaveLength(ANSWERS.length);
});

it.each(['constructor', '__proto__', 'nothing'])('has no example %s', (name) => {
  expect(() => example('getAgent', name as never)).toThrow(TypeError);
});

describe('the handlers of a whole service', () => {
  it('respond with success to every endpoint', async () => {
    const check = async ([, call]: [string, () => Promise<unknown>]) => {
      service.resetHandlers(...handlers());

      const answer = await call();

      expect(answer).not.toMatchObject({ error: expect.anything() });
    };

    await expectEveryRow(Object.entries(CALLS), ([endpoint]) => endpoint, check);
  });

  it('return a list in two pages', async () => {
    service.use(...handlers());

    const ids: string[] = [];
    for await (const agent of client.agents.list()) ids.push(agent.id);

    const pages = [example('listAgents', 'with_next_page'), example('listAgents', 'last_page')];
    expect(ids).toEqual(pages.flatMap(({ data }) => data.map((agent) => agent.id)));
  });

  it('return every list in two pages, those of the console too', async () => {
    service.use(...handlers());

    const ids: string[] = [];
    for await (const agent of console.agents.list()) ids.push(agent.id);

    const pages = [example('listOwnAgents', 'with_next_page'), example('listOwnAgents', 'last_page')];
    expect(ids).toEqual(pages.flatMap(({ data }) => data.map((agent) => agent.id)));
  });

  it('return each operation’s own result, and a replay the second time', async () => {
    service.use(...handlers());
    const request = { operation: 'agent_skill_lineage', subject: 'a/b', idempotency_key: 'order-1' } as const;

    const quote = await client.operations.quote(request);
    const fresh = await client.operations.run(request);
    const again = await client.operations.run(request);

    expect([quote, fresh, again].map(({ operation }) => operation)).toEqual(
      Array(3).fill('agent_skill_lineage'),
    );
    expect(quote).toHaveProperty('score_basis.text', expect.stringMatching(/: \d+ of \d+ signals known$/));
    expect(fresh.result?.lineage.relationships.length).toBeGreaterThan(0);
    expect(again).toMatchObject({ result: null, meta: { replayed: true } });
  });

  it('share nothing with the next set of handlers', async () => {
    for (const _ of [1, 2]) {
      service.resetHandlers(...handlers());
      expect(await client.operations.run({ ...score, idempotency_key: 'order-1' })).toMatchObject({
        meta: { replayed: false },
      });
    }
    service.resetHandlers();
  });
});

describe('a reply', () => {
  const own = FAILURES.filter(({ endpoint }) => !CALLS[endpoint].toString().includes('raw.'));

  it('makes the client throw every documented failure', async () => {
    const check = async ({ endpoint, name, status, body }: (typeof own)[number]) => {
      service.resetHandlers(reply(endpoint, name));

      const error: ApiError = await CALLS[endpoint]().then(
        () => expect.unreachable('the call should have failed'),
        (reason) => reason,
      );

      const { code, error: word } = body as { code?: string; error: string };
      expect(error).toBeInstanceOf(errorClassFor(status));
      expect(error).toMatchObject({ status, code: code ?? word });
    };

    await expectEveryRow(own, ({ endpoint, name, status }) => `${endpoint} ${name}: ${status}`, check);
  });

  it('contains exactly the given changes', async () => {
    service.use(
      reply('getAgent', 'verified_creator', { changes: { trustScore: 12, creator: { verified: false } } }),
    );

    const agent = await client.agents.get(id);

    const { creator, ...usual } = example('getAgent', 'verified_creator');
    expect(agent).toEqual({ ...usual, trustScore: 12, creator: { ...creator, verified: false } });
  });

  it('takes `once`, headers and delayMs', async () => {
    service.use(...handlers());
    service.use(
      reply('getAgent', 'unavailable', {
        once: true,
        headers: new Headers({ 'Retry-After': '0' }),
        delayMs: 60,
      }),
    );
    const began = performance.now();

    const { meta } = await client.agents.get(id, { maxRetries: 1 }).withResponse();

    expect(meta.attempts).toBe(2);
    expect(performance.now() - began).toBeGreaterThan(55);
  });

  it('throws for an unknown name and lists the known ones', () => {
    // @ts-expect-error
    expect(() => reply('getAgent', 'gone')).toThrow(
      'getAgent has no example "gone"; use one of unverified_creator, ',
    );
  });

  it('is a copy that callers may change', () => {
    example('listAgents', 'last_page').data.length = 0;

    expect(example('listAgents', 'last_page').data.length).toBeGreaterThan(0);
  });
});
