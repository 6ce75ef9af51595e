import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { giveCredits, makeAccount, makeListing } from '../../../testing/factories.ts';
import {
  type PgBouncer,
  pgBouncerKeepsStatements,
  startPgBouncer,
  withoutPgBouncer,
} from '../../../testing/pgbouncer.ts';
import { runCommand } from '../../../testing/run-command.ts';
import { type ServerProcess, startServer } from '../../../testing/server-process.ts';
import { withAdvisoryLock, withFreeAdvisoryLock } from './advisory-lock.ts';
import { connect } from './connect.ts';
import { listenForChanges } from './listen-for-changes.ts';
import { migrateUp } from './migrate.ts';
import { requirePreparedStatements } from './unusable-database.ts';

const CALLS = 24;
/** Number recommended in ops/pooler/pgbouncer.ini. */
const KEPT_STATEMENTS = 200;
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

async function openPooler(
  mode: 'transaction' | 'session',
  keptStatements = 0,
  url = test.url,
): Promise<string> {
  const pooler = await startPgBouncer(url, mode, keptStatements);
  opened.push(pooler);
  return pooler.url;
}

const LOCK = 7_310_999;
/** Locks of other databases on the same server are separate. */
const LOCKS_LEFT = `SELECT pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database
  WHERE locktype = 'advisory' AND d.datname = current_database() AND classid = 0 AND objid = $1`;

/** Creates two migrations: a table, and an index on it that is made concurrently. */
async function indexOnTable({ database }: TestDatabase): Promise<{ folder: string; name: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'trust-directory-pooler-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, '0001-table.sql'), 'CREATE TABLE big (id int);\n-- down\nDROP TABLE big;');
  const index = 'CREATE INDEX CONCURRENTLY big_by_id ON big (id);\n-- down\nDROP INDEX big_by_id;';
  await writeFile(join(folder, '0002-index.sql'), index);
  const [row] = await database.query<{ name: string }>('SELECT current_database() AS name');
  return { folder, name: row?.name ?? '' };
}

/** Sends calls and reads concurrently to a server that connects through a pooler. */
async function callThrough(url: string, preparedStatements: 'on' | 'off') {
  const environment = {
    DATABASE_URL: url,
    DATABASE_PREPARED_STATEMENTS: preparedStatements,
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
    const route = `${baseUrl}/api/svc/operations/run`;
    return (await fetch(route, { method: 'POST', headers, body: JSON.stringify(body) })).status;
  };
  const answers = await Promise.all(Array.from({ length: CALLS }, call));
  const [runs] = await test.database.query<{ settled: number }>(
    "SELECT count(*)::int AS settled FROM usage_run WHERE account_id = $1 AND state = 'settled'",
    [accountId],
  );
  return { answers, settled: runs?.settled };
}

describe('changes of the directory', () => {
  it.skipIf(withoutPgBouncer).each(['session', 'transaction'] as const)(
    'are not taken for heard through a pooler in %s mode',
    async (mode) => {
      const listener = { onReady: vi.fn(), onCaughtUp: vi.fn(), onChange: vi.fn(), onLost: vi.fn() };
      const listening = listenForChanges(await openPooler(mode), listener);

      await vi.waitUntil(() => listener.onLost.mock.calls.length > 0, { timeout: 60_000 });

      expect(listener.onReady).not.toHaveBeenCalled();
      await listening.stop();
    },
  );
});

describe('the check that sessions keep what they prepare', () => {
  it('passes on a database that is spoken to directly', async () => {
    await expect(requirePreparedStatements(test.url)).resolves.toBeUndefined();
  });
});

// PgBouncer before 1.21 (as in Debian 12) keeps no prepared statements in transaction mode; a newer one only if
// configured.
describe.skipIf(withoutPgBouncer)(
  `behind PgBouncer${withoutPgBouncer ? `: ${withoutPgBouncer}` : ''}`,
  () => {
    itAtNight('a start stops with the setting to change, before anything is written', async () => {
      const pooler = await openPooler('transaction');

      const started = startServer({ DATABASE_URL: pooler }, { entry: 'real' });

      await expect(started).rejects.toThrow(ADVICE);
      expect((await runCommand(['accounts', 'list'], { DATABASE_URL: pooler })).stderr).toContain(ADVICE);
    });

    it('a session that is to refuse writes leaves none behind that others would get', async () => {
      const url = await openPooler('transaction');
      const reader = connect(url, { readOnly: true, poolSize: 1 });
      const writer = connect(url, { poolSize: 1 });

      await reader.query('SELECT 1');
      const found = await writer.query('SHOW default_transaction_read_only');
      await Promise.all([reader.close(), writer.close()]);

      expect(found).toEqual([{ default_transaction_read_only: 'off' }]);
    });

    it('a lock keeps others out while it is held, and is gone after', async () => {
      const url = await openPooler('transaction');
      const taken = () => new Error('taken');
      const tryIt = () => withFreeAdvisoryLock(url, LOCK, async () => 'got it', taken);

      const meanwhile = await withAdvisoryLock(url, LOCK, () =>
        tryIt().catch((error: Error) => error.message),
      );
      const after = await tryIt();

      expect([meanwhile, after]).toEqual(['taken', 'got it']);
      expect(await test.database.query(LOCKS_LEFT, [LOCK])).toEqual([]);
    });

    itAtNight('no limit that a lock or an index lifts is lifted for others', async () => {
      const empty = await createTestDatabase({ empty: true });
      const { folder, name } = await indexOnTable(empty);
      await empty.database.query(`ALTER DATABASE ${name} SET statement_timeout = '7s'`);
      await empty.database.query(`ALTER DATABASE ${name} SET lock_timeout = '6s'`);
      const url = await openPooler('transaction', 0, empty.url);

      expect(await migrateUp(url, { folder })).toEqual(['0001-table', '0002-index']);
      const next = connect(url, { poolSize: 1, preparedStatements: false });
      const found = [await next.query('SHOW statement_timeout'), await next.query('SHOW lock_timeout')];
      await next.close();
      await empty.close();

      expect(found).toEqual([[{ statement_timeout: '7s' }], [{ lock_timeout: '6s' }]]);
    });

    itAtNight('an index that takes longer than the role may says how to make it', async () => {
      const empty = await createTestDatabase({ empty: true });
      const { folder, name } = await indexOnTable(empty);
      await migrateUp(empty.url, { folder, to: '0001-table' });
      await empty.database.query(`ALTER DATABASE ${name} SET lock_timeout = '50ms'`);
      const url = await openPooler('transaction', 0, empty.url);
      const writer = await empty.database.sequelize.transaction();
      await empty.database.sequelize.query('INSERT INTO big VALUES (1)', { transaction: writer });

      await expect(migrateUp(url, { folder })).rejects.toThrow(/The index big_by_id takes longer .* migrate/);
      await writer.rollback();

      expect(await migrateUp(url, { folder })).toEqual(['0002-index']);
      await empty.close();
    });

    it.each([
      ['where prepared statements are off', 0, 'off'],
      ...(pgBouncerKeepsStatements ? [['where the pooler keeps them', KEPT_STATEMENTS, 'on'] as const] : []),
    ] as const)('calls are charged once each and readers read %s', async (_where, kept, prepared) => {
      const { answers, settled } = await callThrough(await openPooler('transaction', kept), prepared);

      expect(answers).toEqual(Array(CALLS).fill(200));
      expect(settled).toBe(CALLS);
    });

    itAtNight('the check passes where each session has a server of its own', async () => {
      await expect(requirePreparedStatements(await openPooler('session'))).resolves.toBeUndefined();
    });
  },
);
