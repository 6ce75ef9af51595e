import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { embeddedBackend } from '../../server/src/scoring/embedded/embedded-backend.ts';
import { createTestDatabase, type TestDatabase } from '../../server/testing/database.ts';
import {
  makeAccount,
  makeListing,
  type TestAccount,
  type TestListing,
} from '../../server/testing/factories.ts';
import { type ListeningServer, startServer } from '../targets/server/start-server.ts';
import { openPrismInFront, type PrismInFront } from './through-prism.ts';

let test: TestDatabase;
let server: ListeningServer;
let prism: PrismInFront;
let account: TestAccount;
let listing: TestListing;

beforeAll(async () => {
  test = await createTestDatabase();
  [account, listing] = [await makeAccount(test.database), await makeListing(test.database)];
  server = await startServer(test.url, embeddedBackend);
  prism = openPrismInFront();
});
afterAll(async () => {
  await prism?.stop();
  await server?.close();
  await test?.close();
});

const read = (path: string) => prism.send(new Request(`${server.url}${path}`));
const run = (body: object) =>
  prism.send(
    new Request(`${server.url}/api/svc/operations/run`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${account.key.secret}` },
      body: JSON.stringify(body),
    }),
  );

/** `proxy.nightly.test.ts` sends all requests of the suite. */
it('Prism lets the answers of the real server to reads, a call, its replay and a refusal pass', async () => {
  const call = { operation: 'agent_score', subject: listing.repository, idempotency_key: randomUUID() };

  const answers = [
    await read('/api/agents?sort=relevance&q=agent'),
    await read(`/api/agents/${listing.agentId}`),
    await run(call),
    await run(call),
    await run({ ...call, subject: 'nobody/knows', idempotency_key: randomUUID() }),
  ];

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 404]);
  expect(await answers[3]?.json()).toMatchObject({ idempotent: true });
  expect([...prism.passed]).toEqual([
    'listAgents 200',
    'getAgent 200',
    'runOperation 200',
    'runOperation 404',
  ]);
});
