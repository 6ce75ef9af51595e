import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { giveCredits } from '../../../testing/factories.ts';
import { newProcess } from '../../../testing/ledger/batches.ts';
import { useLedger } from '../../../testing/ledger/ledger-harness.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { errorCode } from '../../platform/database/database-errors.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { loadBillingContext } from './billing-context.ts';
import { openPeriod } from './change-period.ts';
import { type ChargeInput, charge } from './charge.ts';
import { fail } from './fail.ts';
import { readRun } from './read-run.ts';
import { type ReserveInput, reserve } from './reserve.ts';

const FREE = { plan: 'free', overageEnabled: false, overageCap: null };
const world = useLedger();
const { accountWith, buckets, hold, input, score } = world;

type Account = Awaited<ReturnType<typeof accountWith>>;

function charging(account: Account, changes: Partial<ReserveInput> = {}): ChargeInput {
  return { ...input(account, changes), score: score(), onSent: () => undefined };
}

const constraintOf = (error: unknown) => errorCode(error)?.constraint;

describe('a charge', () => {
  it('holds and settles at the same instant, stores the score and its receipt, and leaves no open run', async () => {
    const account = await accountWith(25);
    const call = charging(account);

    const charged = await charge(world.database, call);

    const balance = { included_credits: 25, included_used: 10 };
    expect(charged).toMatchObject({ source: 'gifted', balance });
    expect(await buckets(account)).toEqual([{ source: 'gifted', total: 25, used: 10, held: 0 }]);
    expect(await readRun(world.database, account.accountId, call.ledgerId)).toMatchObject({
      state: 'settled',
      attempt: 1,
      amount: 10,
      scoreVersion: charged?.scoreVersion,
    });
    const [stored] = await world.database.query(
      `SELECT r.created_at = r.ended_at AS at_once, r.lease_until - r.created_at = interval '1 minute' AS leased,
         s.current_version = r.score_version AS current, k.score_version = r.score_version AS ranked,
         r.key_id, r.session_id, r.operation, r.price_credits, r.fingerprint = $2 AS same_body
       FROM ended_run r JOIN subject s ON s.id = r.subject_id JOIN listing_rank k ON k.subject_id = s.id
       WHERE r.ledger_id = $1`,
      [call.ledgerId, call.fingerprint],
    );
    expect(stored).toEqual({
      at_once: true,
      leased: true,
      current: true,
      ranked: true,
      key_id: account.key.id,
      session_id: null,
      operation: 'agent_score',
      price_credits: 10,
      same_body: true,
    });
    const entries = await world.database.query(
      'SELECT kind, d_used, d_held FROM ledger_entry WHERE ledger_id = $1 ORDER BY d_held DESC',
      [call.ledgerId],
    );
    expect(entries).toEqual([
      { kind: 'hold', d_used: 0, d_held: 10 },
      { kind: 'settle', d_used: 10, d_held: -10 },
    ]);
  });

  it('is possible after a failed attempt only', async () => {
    const account = await accountWith(100);
    await fail(world.database, await hold(account, { idempotencyKey: 'failed' }), 'upstream');
    await hold(account, { idempotencyKey: 'open' });
    const again = charging(account, { idempotencyKey: 'failed' });

    expect(await charge(world.database, charging(account, { idempotencyKey: 'open' }))).toBeNull();
    const otherBody = { idempotencyKey: 'failed', fingerprint: Buffer.alloc(32, 1) };
    expect(await charge(world.database, charging(account, otherBody))).toBeNull();
    expect(await charge(world.database, again)).not.toBeNull();
    expect(await charge(world.database, charging(account, { idempotencyKey: 'failed' }))).toBeNull();

    expect(await readRun(world.database, account.accountId, again.ledgerId)).toMatchObject({ attempt: 2 });
    expect(await buckets(account)).toMatchObject([{ used: 10, held: 10 }]);
  });

  it('changes nothing if the subject differs from the one that was scored', async () => {
    const account = await accountWith(100);
    const call = charging(account);
    const misfit = { ...call, score: { ...call.score, subjectType: 'skill' } };

    await expect(charge(world.database, misfit)).rejects.toSatisfy(
      (error) => constraintOf(error) === 'ended_run_check',
    );
    expect(await buckets(account)).toMatchObject([{ used: 0, held: 0 }]);
  });
});

describe('charges in one batch', () => {
  it('share one statement, and each gets the same answer as alone', async () => {
    const { database, sizes } = newProcess(world.database);
    const [rich, poor, revoked] = [await accountWith(100), await accountWith(9), await accountWith(100)];
    await world.database.query('UPDATE access_key SET revoked_at = ledger_now() WHERE id = $1', [
      revoked.key.id,
    ]);
    await charge(world.database, charging(rich, { idempotencyKey: 'done' }));
    const asked = [
      charging(rich),
      charging(poor),
      charging(revoked),
      charging(rich, { idempotencyKey: 'done' }),
      charging(rich, { scope: 'lineage:write' }),
      charging(rich),
    ];

    const answers = await Promise.all(asked.map((each) => charge(database, each)));

    expect(sizes).toEqual([6]);
    expect(answers.map((each) => each?.balance.included_used ?? null)).toEqual([
      20,
      null,
      null,
      null,
      null,
      30,
    ]);
    const versions = answers.flatMap((each) => each?.scoreVersion ?? []);
    expect(versions).toEqual([...new Set(versions)].toSorted());
    expect(await buckets(rich)).toEqual([{ source: 'gifted', total: 100, used: 30, held: 0 }]);
  });

  it('exhaust buckets one after the other, as single calls do', async () => {
    const { database, sizes } = newProcess(world.database);
    const account = await accountWith(30);
    await openPeriod(world.database, { ...account, ...FREE }, [{ source: 'free', unit: 'call', total: 2 }]);

    const answers = await Promise.all(Array.from({ length: 8 }, () => charge(database, charging(account))));

    const sources = answers.map((each) => each?.source ?? null);
    expect(sources).toEqual(['free', 'free', 'gifted', 'gifted', 'gifted', null, null, null]);
    expect(sizes).toEqual([8, 6, 3]);
    expect(await buckets(account)).toMatchObject([
      { used: 2, held: 0 },
      { used: 30, held: 0 },
    ]);
  });

  it('charge once per idempotency key; the others find that run', async () => {
    const account = await accountWith(1000);
    const asked = Array.from({ length: 5 }, () => charging(account, { idempotencyKey: 'same' }));

    const { database } = newProcess(world.database);
    const answers = await Promise.all(asked.map((each) => charge(database, each)));

    expect(answers.filter((each) => each !== null)).toHaveLength(1);
    expect(await buckets(account)).toMatchObject([{ used: 10, held: 0 }]);
  });

  it('are isolated from failures of other items, and drop calls whose deadline has passed', async () => {
    const { database, sizes } = newProcess(world.database);
    const [one, other] = [await accountWith(100), await accountWith(100)];
    const sent: string[] = [];
    const told = (call: ChargeInput) => ({ ...call, onSent: () => void sent.push(call.idempotencyKey) });
    const asked = [
      charging(one, { idempotencyKey: 'good' }),
      charging(other, { idempotencyKey: 'cursed' }),
      charging(one, { idempotencyKey: 'late', until: 0 }),
    ];
    await world.database.query(
      "ALTER TABLE ended_run ADD CONSTRAINT cursed CHECK (idempotency_key <> 'cursed') NOT VALID",
    );
    try {
      const answers = await Promise.allSettled(asked.map((each) => charge(database, told(each))));

      expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
      expect(answers[2]).toMatchObject({ reason: { name: 'DeadlineExceededError' } });
    } finally {
      await world.database.query('ALTER TABLE ended_run DROP CONSTRAINT cursed');
    }
    expect(sizes).toEqual([2, 1, 1]);
    expect([...new Set(sent)]).toEqual(['good', 'cursed']);
    expect(await buckets(one)).toMatchObject([{ used: 10 }]);
    expect(await buckets(other)).toMatchObject([{ used: 0 }]);
  });
});

describe('scores that are signed when their batch is sent', () => {
  it('are signed together, so that calls of one moment stay in one statement', async () => {
    const { database, sizes } = newProcess(world.database);
    const accounts = await Promise.all(Array.from({ length: 4 }, () => accountWith(10)));
    const signed = accounts.map((account, turns) => {
      const call = charging(account);
      const version = `2026-11-21T12:00:00.00000${turns}Z`;
      const score = { ...call.score, signed: { jws: '', sha256: Buffer.alloc(32, turns), version } };
      return { ...call, sign: () => afterTurns(turns, score) };
    });

    const answers = await Promise.all(signed.map((each) => charge(database, each)));

    expect(answers.map((each) => each?.balance.included_used)).toEqual([10, 10, 10, 10]);
    expect(sizes).toEqual([4]);
    const stored = await Promise.all(
      signed.map(({ ledgerId }, turns) =>
        readRun(world.database, accounts[turns]?.accountId ?? '', ledgerId),
      ),
    );
    expect(stored.map((run) => run?.signatureSha256?.[0])).toEqual([0, 1, 2, 3]);
  });

  it('are charged if the score of another call cannot be signed', async () => {
    const { database } = newProcess(world.database);
    const [one, other] = [await accountWith(10), await accountWith(10)];
    const asked = [charging(one), { ...charging(other), sign: () => Promise.reject(new Error('no key')) }];

    const answers = await Promise.allSettled(asked.map((each) => charge(database, each)));

    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(await buckets(one)).toMatchObject([{ used: 10 }]);
    expect(await buckets(other)).toMatchObject([{ used: 0, held: 0 }]);
  });
});

/** Returns the value after some turns of the event loop. */
async function afterTurns<Value>(turns: number, value: Value): Promise<Value> {
  for (let passed = 0; passed < turns; passed += 1) await turn();
  return value;
}

it('remembers evidence as stored only after the charge succeeds; otherwise it is sent again', async () => {
  const { database, sizes } = newProcess(world.database);
  const [poor, rich] = [await accountWith(9), await accountWithTwoBuckets()];
  const scoredAt = (account: Account, trust: number) => {
    const call = charging(account);
    return { ...call, score: { ...call.score, record: { ...call.score.record, trust } } };
  };

  expect(await charge(database, scoredAt(poor, 71.1))).toBeNull();
  const both = [scoredAt(rich, 71.1), scoredAt(rich, 72.2)];
  const charged = await Promise.all(both.map((call) => charge(database, call)));

  expect(charged.map((each) => each?.balance.included_credits)).toEqual([10, 100]);
  // No batch is repeated because of missing evidence.
  expect(sizes).toEqual([1, 2, 1]);
});

/**
 * Creates an account whose expensive calls are paid from another bucket than its cheap ones, so that they do not block
 * each other.
 */
async function accountWithTwoBuckets(): Promise<Account> {
  const account = await accountWith(10);
  await giveCredits(world.database, account.accountId, 100);
  return account;
}

describe('one key that is charged here while another process opens a run with it, in different buckets', () => {
  const CHEAP = { idempotencyKey: 'raced', priceCredits: 10 };
  const DEAR = { idempotencyKey: 'raced', priceCredits: 20 };

  /** Runs two statements; the second starts when the first has finished but not committed. */
  async function race(
    first: (connection: Connection) => Promise<unknown>,
    second: () => Promise<unknown>,
  ): Promise<unknown> {
    let waiting: Promise<unknown> = Promise.resolve();
    await inTransaction(world.database, async (connection) => {
      expect(await first(connection)).not.toBeNull();
      waiting = second().catch(constraintOf);
      await untilBlocked(world.database, waiting);
    });
    return waiting;
  }

  it('refuses the charge if the run was opened first', async () => {
    const account = await accountWithTwoBuckets();

    const refused = await race(
      (connection) => reserve(connection, input(account, CHEAP)),
      () => charge(world.database, charging(account, DEAR)),
    );

    expect(refused).toBe('ended_run_one_live');
    expect(await buckets(account)).toMatchObject([
      { used: 0, held: 10 },
      { used: 0, held: 0 },
    ]);
  });

  it('refuses the open run if the charge was first', async () => {
    const account = await accountWithTwoBuckets();

    const refused = await race(
      (connection) => charge(connection, charging(account, DEAR)),
      () => reserve(world.database, input(account, CHEAP)),
    );

    expect(refused).toBe('open_run_one_live');
    expect(await buckets(account)).toMatchObject([
      { used: 0, held: 0 },
      { used: 20, held: 0 },
    ]);
  });

  it('charges once if both charge', async () => {
    const account = await accountWithTwoBuckets();

    const refused = await race(
      (connection) => charge(connection, charging(account, DEAR)),
      () => charge(world.database, charging(account, CHEAP)),
    );

    // In a partitioned table, the partition's index reports the violation.
    expect(refused).toMatch(/^ended_run_(attempt|\d+_account_id_idempotency_key)/);
    const { lastRun } = (await loadBillingContext(world.database, input(account, DEAR))) ?? {};
    expect(lastRun).toMatchObject({ state: 'settled', amount: 20 });
  });
});

it('many processes that charge few accounts for one subject neither deadlock nor overspend', async () => {
  const accounts = await Promise.all([1, 2, 3].map(() => accountWith(100)));
  const processes = [1, 2, 3].map(() => newProcess(world.database).database);
  const keys = Array.from({ length: 8 }, () => randomUUID());

  const answers = await Promise.allSettled(
    processes.flatMap((database) =>
      accounts.flatMap((account) =>
        keys.map((idempotencyKey) => charge(database, charging(account, { idempotencyKey }))),
      ),
    ),
  );

  const refusals = answers.flatMap((each) =>
    each.status === 'rejected' ? [errorCode(each.reason)?.code] : [],
  );
  expect(refusals.filter((code) => code !== '23505')).toEqual([]);
  const charged = answers.filter((each) => each.status === 'fulfilled' && each.value !== null);
  expect(charged).toHaveLength(accounts.length * keys.length);
  for (const account of accounts) expect(await buckets(account)).toMatchObject([{ used: 80, held: 0 }]);
});
