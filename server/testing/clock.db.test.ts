import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { replaceClock, setClock, shiftClock } from './clock.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { untilBlocked } from './until-blocked.ts';

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
  await replaceClock(test.database);
});

afterAll(() => test.close());

async function now(): Promise<Date> {
  const [row] = await test.database.query<{ now: Date }>('SELECT ledger_now() AS now');
  if (!row) throw new Error('no row');
  return row.now;
}

it('stops at the time that a test sets, in statements and column defaults', async () => {
  await setClock(test.database, '2030-12-31T23:59:59.500Z');

  const account = await test.database.models.Account.create(
    { id: randomUUID(), handle: 'midnight', plan: 'free' },
    { transaction: null },
  );

  expect(await now()).toEqual(new Date('2030-12-31T23:59:59.500Z'));
  expect(account.createdAt).toEqual(new Date('2030-12-31T23:59:59.500Z'));
});

it('runs ahead of real time, and returns to it', async () => {
  await shiftClock(test.database, '40 days');
  const ahead = (await now()).getTime() - Date.now();
  const later = (await now()).getTime() - Date.now();
  await setClock(test.database, null);
  const real = (await now()).getTime() - Date.now();

  expect(ahead / 86_400_000).toBeCloseTo(40, 2);
  expect(later / 86_400_000).toBeCloseTo(40, 2);
  expect(Math.abs(real)).toBeLessThan(60_000);
});

it('shows its new time to a statement that waited while it was set', async () => {
  await setClock(test.database, '2030-01-01T00:00:00Z');

  const blocker = await test.database.sequelize.transaction();
  await test.database.sequelize.query('SELECT pg_advisory_xact_lock(1)', { transaction: blocker });
  const moving = test.database.query<{ before: Date; after: Date }>(
    'SELECT ledger_now() AS before, pg_advisory_xact_lock_shared(1), ledger_now() AS after',
  );
  await untilBlocked(test.database, moving);
  await setClock(test.database, '2031-01-01T00:00:00Z');
  await blocker.commit();

  const [row] = await moving;
  expect(row?.before).toEqual(new Date('2030-01-01T00:00:00Z'));
  expect(row?.after).toEqual(new Date('2031-01-01T00:00:00Z'));
});

it('does not affect other test databases', async () => {
  await setClock(test.database, '2030-01-01T00:00:00Z');
  const other = await createTestDatabase();

  const [row] = await other.database.query<{ now: Date }>('SELECT ledger_now() AS now');

  await other.close();
  expect(Math.abs((row?.now.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
});
