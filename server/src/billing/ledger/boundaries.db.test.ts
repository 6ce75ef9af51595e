import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setClock } from '../../../testing/clock.ts';
import { giveCredits, makeAccount, type TestAccount } from '../../../testing/factories.ts';
import { useLedger } from '../../../testing/ledger/ledger-harness.ts';
import { loadBillingContext } from './billing-context.ts';
import { openPeriod } from './change-period.ts';
import { fail } from './fail.ts';
import { adjust } from './grant-and-adjust.ts';
import { readRun } from './read-run.ts';
import { reapAccount, reapBucket, reapDue } from './reap.ts';
import { newLedgerId, quote, type Reservation, reserve } from './reserve.ts';
import { settle } from './settle.ts';

const world = useLedger();
const { accountWith, hold, input, score } = world;

const JUST_BEFORE = '2027-05-05T11:59:59.999999Z';
const BEGIN = '2027-05-05T12:00:00.000000Z';
const JUST_BEFORE_A_MINUTE = '2027-05-05T12:00:59.999999Z';
const A_MINUTE_ON = '2027-05-05T12:01:00.000000Z';
const at = (moment: string) => setClock(world.database, moment);

beforeEach(() => at(BEGIN));
afterEach(async () => {
  await at(A_MINUTE_ON);
  await reapDue(world.database);
  await setClock(world.database, null);
});

const affords = async (account: TestAccount) => ({
  lookUp: (await loadBillingContext(world.database, input(account)))?.affordable,
  quote: (await quote(world.database, account.accountId, 10)) !== null,
  reserve: (await reserve(world.database, input(account))) !== null,
});
const YES = { lookUp: true, quote: true, reserve: true };
const NO = { lookUp: false, quote: false, reserve: false };

async function grantUntil(account: TestAccount, validTo: string): Promise<number> {
  const { bucketId } = await giveCredits(world.database, account.accountId, 100);
  await world.database.query('UPDATE credit_bucket SET valid_to = $2 WHERE id = $1', [bucketId, validTo]);
  return bucketId;
}

describe('a bucket', () => {
  it('pays from the instant it begins and no longer at the instant it ends', async () => {
    const account = await makeAccount(world.database);
    const bucketId = await grantUntil(account, A_MINUTE_ON);
    const { accountId } = account;
    const correction = { accountId, bucketId, credits: 1, note: '' };

    await at(JUST_BEFORE);
    expect(await affords(account)).toEqual(NO);
    await at(BEGIN);
    expect(await affords(account)).toEqual(YES);
    await at(JUST_BEFORE_A_MINUTE);
    expect(await affords(account)).toEqual(YES);
    expect(await adjust(world.database, correction)).toMatchObject({ total: 101 });
    await at(A_MINUTE_ON);
    expect(await affords(account)).toEqual(NO);
    await expect(adjust(world.database, correction)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('pays with its last credit, but not with held or used ones', async () => {
    const account = await accountWith(20);
    const first = await hold(account);

    expect(await affords(account)).toEqual(YES);
    expect(await affords(account)).toEqual(NO);
    await settle(world.database, first, 'agent', score());
    expect(await affords(account)).toEqual(NO);
  });
});

describe('a lease', () => {
  it('expires exactly at its end, for reads and for settle', async () => {
    const accounts = [await accountWith(10), await accountWith(10), await accountWith(10)] as const;
    const runs = [await hold(accounts[0]), await hold(accounts[1]), await hold(accounts[2])] as const;
    const seen = async () => ({
      lookUp: (await loadBillingContext(world.database, input(accounts[0])))?.reapable,
      readRun: (await readRun(world.database, accounts[0].accountId, runs[0].ledgerId))?.leaseOver,
      settled: (await settle(world.database, runs[2], 'agent', score())) !== null,
    });

    await at(JUST_BEFORE_A_MINUTE);
    expect(await reapDue(world.database)).toBe(0);
    expect(await reapAccount(world.database, accounts[0].accountId)).toBe(0);
    await at(A_MINUTE_ON);
    expect(await seen()).toEqual({ lookUp: true, readRun: true, settled: false });
    expect(await reapAccount(world.database, accounts[0].accountId)).toBe(1);
    expect(await reapBucket(world.database, accounts[1].accountId, runs[1].bucketId)).toBe(1);
    expect(await reapDue(world.database)).toBe(1);
  });

  it('is valid until its end', async () => {
    const account = await accountWith(10);
    const same = { idempotencyKey: 'k' };
    const run = await hold(account, same);

    await at(JUST_BEFORE_A_MINUTE);

    expect(await loadBillingContext(world.database, input(account, same))).toMatchObject({
      reapable: false,
      lastRun: { leaseOver: false },
    });
    expect(await readRun(world.database, account.accountId, run.ledgerId)).toMatchObject({
      leaseOver: false,
    });
    expect(await settle(world.database, run, 'agent', score())).not.toBeNull();
    await at(A_MINUTE_ON);
    expect(await loadBillingContext(world.database, input(account, same))).toMatchObject({
      reapable: false,
      lastRun: { leaseOver: true, state: 'settled' },
    });
  });

  it('of another account, when expired, leaves the own balance unchanged; reaping handles one bucket at a time', async () => {
    const [account, other] = [await accountWith(10), await accountWith(10)];
    const dead = [await hold(account), await hold(other)] as const;
    await giveCredits(world.database, account.accountId, 10);
    const second = await hold(account);
    await at(A_MINUTE_ON);
    const third = await makeAccount(world.database);

    expect(await loadBillingContext(world.database, input(third))).toMatchObject({
      reapable: false,
      lastRun: null,
    });
    expect(await reapBucket(world.database, account.accountId, second.bucketId)).toBe(1);
    const stateOf = async ({ accountId, ledgerId }: (typeof dead)[0]) =>
      (await readRun(world.database, accountId, ledgerId))?.state;
    expect(await Promise.all(dead.map(stateOf))).toEqual(['reserved', 'reserved']);
    expect(await reapDue(world.database)).toBe(2);
  });
});

describe('the last run of an idempotency key', () => {
  it('counts as failed just now for one minute', async () => {
    const account = await accountWith(10);
    const same = { idempotencyKey: 'k' };
    const failedJustNow = async () =>
      (await loadBillingContext(world.database, input(account, same)))?.lastRun?.failedJustNow;
    const run = await hold(account, same);
    expect(await failedJustNow()).toBe(false);
    await fail(world.database, run, 'upstream');

    await at(JUST_BEFORE_A_MINUTE);
    expect(await failedJustNow()).toBe(true);
    await at(A_MINUTE_ON);
    expect(await failedJustNow()).toBe(false);
  });

  it('belongs to the key and the account, with the balance of the bucket that paid', async () => {
    const [account, other] = [await accountWith(100), await accountWith(100)];
    const free = [{ source: 'free', unit: 'call', total: 1 }] as const;
    await openPeriod(world.database, { ...account, plan: 'free', overageEnabled: false, overageCap: null }, [
      ...free,
    ]);
    const runs = [
      await hold(account, { idempotencyKey: 'one' }),
      await hold(account, { idempotencyKey: 'two' }),
    ];

    const last = async (idempotencyKey: string) => {
      const run = (await loadBillingContext(world.database, input(account, { idempotencyKey })))?.lastRun;
      if (!run) return null;
      const stored = await readRun(world.database, account.accountId, run.ledgerId);
      return [run.ledgerId, run.balance.included_credits, stored?.balance.included_credits];
    };

    expect(await last('one')).toEqual([runs[0]?.ledgerId, 1, 1]);
    expect(await last('two')).toEqual([runs[1]?.ledgerId, 100, 100]);
    expect(await last('three')).toBeNull();
    const lastOfOther = async () =>
      (await loadBillingContext(world.database, input(other, { idempotencyKey: 'one' })))?.lastRun;
    expect(await lastOfOther()).toBeNull();
    await settle(world.database, runs[0] as Reservation, 'agent', score());
    expect(await lastOfOther()).toBeNull();
  });

  it.each(['settle', 'fail'] as const)('can be ended (%s) by its own id only', async (way) => {
    const account = await accountWith(100);
    const run = { ...(await hold(account)), ledgerId: newLedgerId() };

    const ended =
      way === 'settle'
        ? await settle(world.database, run, 'agent', score())
        : await fail(world.database, run, 'upstream');

    expect(ended).toBeFalsy();
    expect(await readRun(world.database, account.accountId, run.ledgerId)).toBeNull();
  });
});

describe('the current month', () => {
  it("counts as open by its own buckets only, not by another account's or by a grant that starts with the month", async () => {
    await at('2027-06-01T00:00:00.000000Z');
    const [account, other] = [await accountWith(10), await makeAccount(world.database)];
    const standing = { plan: 'free', overageEnabled: false, overageCap: null };
    await openPeriod(world.database, { ...other, ...standing }, [{ source: 'free', unit: 'call', total: 1 }]);

    expect((await loadBillingContext(world.database, input(account)))?.openPeriods).toEqual([]);
    expect((await loadBillingContext(world.database, input(other)))?.openPeriods).toEqual(['free']);
  });
});
