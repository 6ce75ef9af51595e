import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { giveCredits, makeAccount, makeListing } from '../../testing/factories.ts';
import { type PgBouncer, startPgBouncer, withoutPgBouncer } from '../../testing/pgbouncer.ts';
import { runCommand } from '../../testing/run-command.ts';
import { type ServerProcess, startServer } from '../../testing/server-process.ts';
import { listenForChanges } from './listen-for-changes.ts';
import { requireKeptStatements } from './require-kept-statements.ts';

const CALLS = 24;
const ADVICE = 'set DATABASE_PREPARED_STATEMENTS to off';

let test: TestDatabase;
const opened: PgBouncer[] = [];
let server: ServerProcess | null = null;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterEach(async () => {
  await server?.end('SIGKILL');
  server = null;
  for (const pooler of opened.splice(0)) await pooler.stop();
});
afterAll(() => test.close());

async function openPooler(mode: 'transaction' | 'session'): Promise<string> {
  const pooler = await startPgBouncer(test.url, mode);
  opened.push(pooler);
  return pooler.url;
}

describe('changes of the directory', () => {
  it.skipIf(withoutPgBouncer).each(['session', 'transaction'] as const)(
    'are not taken for heard through a pooler in %s mode',
    async (mode) => {
      const hearer = { onReady: vi.fn(), onHeard: vi.fn(), onChange: vi.fn(), onLost: vi.fn() };
      const listening = listenForChanges(await openPooler(mode), hearer);

      await vi.waitUntil(() => hearer.onLost.mock.calls.length > 0, { timeout: 60_000 });

      expect(hearer.onReady).not.toHaveBeenCalled();
      await listening.stop();
    },
  );
});

describe('the check that sessions keep what they prepare', () => {
  it('passes on a database that is spoken to directly', async () => {
    await expect(requireKeptStatements(test.url)).resolves.toBeUndefined();
  });
});

// PgBouncer before 1.21, as Debian has it, keeps no prepared statement in transaction mode.
describe.skipIf(withoutPgBouncer)(
  `behind PgBouncer${withoutPgBouncer ? `: ${withoutPgBouncer}` : ''}`,
  () => {
    it('a start stops with the setting to change, before anything is written', async () => {
      const pooler = await openPooler('transaction');

      const started = startServer({ DATABASE_URL: pooler }, { entry: 'real' });

      await expect(started).rejects.toThrow(ADVICE);
      expect((await runCommand(['accounts', 'list'], { DATABASE_URL: pooler })).stderr).toContain(ADVICE);
    });

    it('calls are charged once each and readers read where prepared statements are off', async () => {
      const environment = {
        DATABASE_URL: await openPooler('transaction'),
        DATABASE_PREPARED_STATEMENTS: 'off',
        TIMINGS_SCALE: '1',
        METERED_WAIT_MS: '20000',
      };
      const { accountId, key } = await makeAccount(test.database);
      await giveCredits(test.database, accountId, 10_000);
      const { repository, agentId } = await makeListing(test.database);
      server = await startServer(environment, { entry: 'real' });
      const { baseUrl } = server;
      const call = async () => {
        const body = { operation: 'agent_score', subject: repository, idempotency_key: randomUUID() };
        const headers = { authorization: `Bearer ${key.secret}`, 'content-type': 'application/json' };
        await fetch(`${baseUrl}/api/agents/${agentId}`);
        const url = `${baseUrl}/api/svc/operations/run`;
        return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status;
      };

      const statuses = await Promise.all(Array.from({ length: CALLS }, call));
      const [runs] = await test.database.query<{ settled: number }>(
        "SELECT count(*)::int AS settled FROM usage_run WHERE account_id = $1 AND state = 'settled'",
        [accountId],
      );

      expect(statuses).toEqual(Array(CALLS).fill(200));
      expect(runs?.settled).toBe(CALLS);
    });

    it('the check passes where each session has a server of its own', async () => {
      await expect(requireKeptStatements(await openPooler('session'))).resolves.toBeUndefined();
    });
  },
);
