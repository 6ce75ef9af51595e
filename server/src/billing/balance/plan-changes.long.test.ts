import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Random } from '../../../../torture/random.ts';
import { replaceClock, shiftClock } from '../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { giveCredits, makeAccount, type TestAccount } from '../../../testing/factories.ts';
import { fewerUnlessNightly } from '../../../testing/nightly.ts';
import { createMeteredCalls, type MeteredCalls } from '../../../testing/plans/metered-calls.ts';
import { SMALL_PLANS } from '../../../testing/plans/plan-model.ts';
import { answerAfter } from '../../../testing/stand-ins/stand-in-backend.ts';
import { seededRandom } from '../../../testing/test-chance.ts';
import { createKey, replaceKey } from '../../access/keys/create-key.ts';
import { listKeys } from '../../access/keys/list-keys.ts';
import { pauseKey, resumeKey, revokeKey } from '../../access/keys/own-keys.ts';
import { withOperatorSession } from '../../accounts/sign-in/sign-in-link.ts';
import type { Database } from '../../platform/database/connect.ts';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { readBuckets } from '../ledger/account-buckets.ts';
import { adjust } from '../ledger/grant-and-adjust.ts';
import { reapDue } from '../ledger/reap.ts';
import { verifyLedger } from '../ledger/verify.ts';
import { setOverage, setPlan } from './change-plan.ts';

const WORKERS = 64;
const CHANGES_EACH = fewerUnlessNightly(6, 12);
/** Accounts whose first calls race with a change of their plan. */
const ROUNDS = fewerUnlessNightly(5, 40);
const PLANS = Object.keys(SMALL_PLANS.plans);

let test: TestDatabase;
let database: Database;
let calls: MeteredCalls;
let random: Random;

beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 64 });
  database = test.database;
  await replaceClock(database);
  calls = await createMeteredCalls(database, SMALL_PLANS);
  calls.backend.behave(answerAfter(5));
});
afterAll(() => test.close());

/** Ends the month now, so that buckets are opened under load too. */
async function endMonth(): Promise<void> {
  const [row] = await database.query<{ shift: string }>(
    `SELECT (date_trunc('month', now() AT TIME ZONE 'UTC') + interval '1 month' - now() AT TIME ZONE 'UTC')::text AS shift`,
  );
  await shiftClock(database, row?.shift ?? '0');
}

async function deadlocks(): Promise<number> {
  const [row] = await database.query<{ deadlocks: number }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  return row?.deadlocks ?? -1;
}

/** All operations that lock an account, a bucket or a key, on one contended account. */
const CHANGES: Record<string, (account: TestAccount) => Promise<unknown>> = {
  call: ({ key }) => calls.call(key),
  plan: ({ accountId }) => setPlan(database, SMALL_PLANS, accountId, random.pick(PLANS)),
  overage: ({ accountId }) =>
    setOverage(
      database,
      SMALL_PLANS,
      accountId,
      random.pick([
        { enabled: false },
        { enabled: true, capCredits: null },
        { enabled: true, capCredits: 10 },
      ] as const),
    ),
  adjust: async ({ accountId }) => {
    const bucket = random.pick(await readBuckets(database, accountId));
    if (bucket)
      await adjust(database, {
        accountId,
        bucketId: bucket.id,
        credits: random.pick([-10, 10]),
        note: 'load',
      });
  },
  grant: ({ accountId }) => giveCredits(database, accountId, 10),
  create: ({ accountId }) =>
    withOperatorSession(database, accountId, (sessionId) =>
      createKey(database, SMALL_PLANS, { sessionId, name: 'load', scopes: ['scores:read'], expiresAt: null }),
    ),
  replace: ({ accountId }) => withKey(accountId, (id) => replaceOne(accountId, id)),
  pause: ({ accountId }) => withKey(accountId, (id) => pauseKey(database, accountId, id)),
  resume: ({ accountId }) => withKey(accountId, (id) => resumeKey(database, SMALL_PLANS, accountId, id)),
  revoke: ({ accountId }) =>
    withKey(accountId, (id) => revokeKey(database, { id: accountId, handle: null }, id)),
  reap: () => reapDue(database),
};

/** Runs the work with a key of the account, but never with the first one, which makes the calls. */
async function withKey(accountId: string, work: (id: string) => Promise<unknown>): Promise<void> {
  const others = (await listKeys(database, accountId)).slice(0, -1);
  if (others.length > 0) await work(random.pick(others).id);
}

function replaceOne(accountId: string, replacesKeyId: string): Promise<unknown> {
  return withOperatorSession(database, accountId, (sessionId) =>
    replaceKey(database, SMALL_PLANS, { sessionId, replacesKeyId, name: null, expiresAt: null }),
  );
}

describe('64 concurrent changes of plan, overage, credits and keys during calls', () => {
  it('never deadlock, and every bucket equals the sum of its entries at any time', async () => {
    random = seededRandom();
    const accounts = await Promise.all(Array.from({ length: 3 }, () => makeAccount(database)));
    const failures: string[] = [];
    const done: Record<string, number> = {};
    const kinds = Object.keys(CHANGES);
    const change = async (kind: string) => {
      // Refusals and lock timeouts are expected; deadlocks are counted separately.
      await CHANGES[kind]?.(random.pick(accounts)).catch((error) => {
        if (!(error instanceof DomainError || isDatabaseUnavailable(error)))
          failures.push(`${kind}: ${error.message}`);
      });
      done[kind] = (done[kind] ?? 0) + 1;
    };
    let changed = 0;
    const worker = async (index: number) => {
      for (let round = 0; round < CHANGES_EACH; round += 1) {
        await change(index % 3 === 0 ? 'call' : random.pick(kinds));
        changed += 1;
        if (changed === (WORKERS * CHANGES_EACH) / 2) await endMonth();
      }
    };
    let over = false;
    const watch = async () => {
      // The busy database may be too slow for a check; every completed check must succeed.
      while (!over) {
        const seen = await verifyLedger(database).catch((error) =>
          isDatabaseUnavailable(error) ? { bad: [] } : Promise.reject(error),
        );
        expect(seen.bad).toEqual([]);
      }
    };
    const working = Promise.all(Array.from({ length: WORKERS }, (_, index) => worker(index))).finally(() => {
      over = true;
    });
    await Promise.all([watch(), working]);

    expect(failures).toEqual([]);
    expect(await deadlocks()).toBe(0);
    for (const kind of kinds) expect(`${kind} ${(done[kind] ?? 0) > 5}`).toBe(`${kind} true`);
    expect((await verifyLedger(database)).bad).toEqual([]);
  }, 300_000);
});

describe('the month of an account', () => {
  it('is opened with the current plan and overage settings, even if their change races with the first calls', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { accountId, key } = await makeAccount(database);
      await database.query("UPDATE account SET plan = 'builder', overage_enabled = true WHERE id = $1", [
        accountId,
      ]);

      await Promise.all([
        ...Array.from({ length: 4 }, () => calls.call(key)),
        setPlan(database, SMALL_PLANS, accountId, 'pro'),
        ...Array.from({ length: 4 }, () => calls.call(key)),
        setOverage(database, SMALL_PLANS, accountId, { enabled: false }),
      ]);

      const buckets = (await readBuckets(database, accountId)).map(({ source, total, used }) =>
        source === 'overage' ? `overage ${total - used} left` : `${source} ${total}`,
      );
      expect(buckets.filter((bucket) => bucket !== 'overage 0 left')).toEqual(['free 2', 'included 60']);
    }
    expect((await verifyLedger(database)).bad).toEqual([]);
  });
});
