import { beforeAll, expect } from 'vitest';
import { callInProcess, wordOf } from '../../../torture/call-in-process.ts';
import { adjust, grant } from '../../src/billing/ledger/grant-and-adjust.ts';
import { reapAccount } from '../../src/billing/ledger/reap.ts';
import { settle } from '../../src/billing/ledger/settle.ts';
import type { Connection } from '../../src/platform/database/connect.ts';
import { inTransaction } from '../../src/platform/database/transaction.ts';
import { shiftClock } from '../clock.ts';
import { makeAccount, type TestAccount } from '../factories.ts';
import { operationParts } from '../operations/operation-parts.ts';
import { createStandIn, refuse, usableScore } from '../stand-ins/stand-in-backend.ts';
import { type LedgerWorld, useLedger } from './ledger-harness.ts';

const MONTHS_AGO = '-200 days';
/** Idempotency keys of the old settled calls. */
export const OLD_KEYS = ['one', 'two', 'three', 'four', 'again'];

/** A ledger from half a year ago, with one call of today. */
export interface OldLedger extends LedgerWorld {
  /** Account of all calls except one, which is still in progress in an expired bucket of another account. */
  account(): TestAccount;
  /** Runs a call with this idempotency key and returns its outcome. */
  call(idempotencyKey: string): Promise<string>;
  /** Number of backend calls. */
  timesAsked(): number;
  /** Returns everything that responses show: balances, runs, scores with their evidence. */
  told(connection: Connection): Promise<string[]>;
  /** Summary of the stored rows. */
  rows(connection: Connection): Promise<string>;
  /** Rolls back at the end, so that each test starts with the same data. */
  undone(work: (connection: Connection) => Promise<void>): Promise<void>;
}

/** Sets up calls from half a year ago with every outcome, each with a different score, and one of today. */
export function useOldLedger(): OldLedger {
  const world = useLedger();
  const { hold } = world;
  let account: TestAccount;
  const backend = createStandIn();
  const call = (idempotencyKey: string) =>
    wordOf(
      callInProcess(operationParts(world.database, { backend }), {
        secret: account.key.secret,
        subject: world.listing.repository,
        idempotencyKey,
      }),
    );

  async function gift({ accountId }: TestAccount, credits: number) {
    const given = { accountId, source: 'gifted' as const, credits, months: 1, note: 'of that time' };
    return grant(world.database, given);
  }

  beforeAll(async () => {
    const { database } = world;
    await shiftClock(database, MONTHS_AGO);
    account = await makeAccount(database, { plan: 'builder' });
    const { accountId } = account;
    const busy = await makeAccount(database);
    await gift(account, 100);
    const [bucket] = await database.query<{ id: number }>(
      'SELECT id FROM credit_bucket WHERE account_id = $1',
      [accountId],
    );
    await adjust(database, { accountId, bucketId: bucket?.id ?? 0, credits: -5, note: "it's less" });
    backend.behave(refuse);
    expect(await call('again')).toBe('scoring_failed');
    let trust = 50;
    backend.behave(async (request) => usableScore(request, { trust: trust++ }));
    for (const key of OLD_KEYS) expect(await call(key)).toBe('settled');
    await settle(database, await hold(account), 'agent', world.score());
    await hold(account, { leaseMs: 0 });
    await reapAccount(database, accountId);
    await gift(busy, 50);
    await hold(busy, { leaseMs: 300 * 24 * 60 * 60_000 });
    await shiftClock(database, '0');
    expect(await call('today')).toBe('settled');
  });

  return Object.assign(world, {
    account: () => account,
    call,
    timesAsked: () => backend.calls.length,
    told,
    rows,
    async undone(work: (connection: Connection) => Promise<void>) {
      const end = new Error('the end');
      await inTransaction(world.database, async (connection) => {
        await work(connection);
        throw end;
      }).catch((error) => {
        if (error !== end) throw error;
      });
    },
  });
}

async function told(connection: Connection): Promise<string[]> {
  const rows = await connection.query<{ line: string }>(`
    SELECT 'balance ' || (to_jsonb(b) - 'archived_at')::text AS line FROM credit_bucket b
    UNION ALL SELECT 'run ' || to_jsonb(r)::text FROM usage_run r UNION ALL SELECT 'score ' || to_jsonb(s)::text FROM score s`);
  return rows.map(({ line }) => line).sort();
}

async function rows(connection: Connection): Promise<string> {
  const [row] = await connection.query<{ line: string }>(
    `SELECT (SELECT string_agg(kind, ',' ORDER BY kind) FROM bucket_entry e JOIN credit_bucket b ON b.account_id = e.account_id
         AND b.id = e.bucket_id WHERE b.valid_to < ledger_now()) || ' ' || (SELECT count(*) FROM score_archive) || ' of '
       || (SELECT count(*) FROM score_evidence WHERE archived_in IS NOT NULL) AS line`,
  );
  return row?.line ?? '';
}
