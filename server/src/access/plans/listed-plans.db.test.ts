import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { credentialOf, makeAccount, makeListing, PLAN_BOOK } from '../../../testing/factories.ts';
import { callOperation } from '../../../testing/operations/call-operation.ts';
import { failureOf } from '../../../testing/operations/lossy-calls.ts';
import { operationParts, requestFor } from '../../../testing/operations/operation-parts.ts';
import { deleteAccount } from '../../accounts/account-lifecycle.ts';
import { setOverage, setPlan } from '../../billing/balance/change-plan.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';
import { requireListedPlans } from './lock-plan.ts';
import type { Plan, PlanBook } from './plans.ts';

const { builder, free } = PLAN_BOOK.plans as { builder: Plan; free: Plan };
/** Plans in another process's file. */
const WITH_GOLD: PlanBook = { ...PLAN_BOOK, plans: { ...PLAN_BOOK.plans, gold: builder, tin: free } };

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

const check = (planBook: PlanBook) => requireListedPlans(test.database, planBook, '/etc/plans.json');

it('refuses a list that lacks a plan in use, publicUrls the plan, the accounts and what to do', async () => {
  const handles = Array.from({ length: 7 }, (_, n) => `gold-${n}`);
  for (const handle of handles) {
    const { accountId } = await makeAccount(test.database, { handle });
    await setPlan(test.database, WITH_GOLD, accountId, 'gold');
  }
  const leaving = await makeAccount(test.database, { handle: 'tin-next-month', plan: 'builder' });
  await setPlan(test.database, WITH_GOLD, leaving.accountId, 'tin');
  const gone = await makeAccount(test.database, { handle: 'gone' });
  await setPlan(test.database, WITH_GOLD, gone.accountId, 'gold');
  await deleteAccount(test.database, embeddedBackend, gone.accountId);

  await expect(check(WITH_GOLD)).resolves.toBeUndefined();
  await expect(check(PLAN_BOOK)).rejects.toThrow(
    'PLANS_FILE /etc/plans.json lacks the plan "gold" of 7 accounts (gold-0, gold-1, gold-2, gold-3, gold-4 and 2 more) and ' +
      'the plan "tin" of 1 account (tin-next-month). ' +
      'Put the plan back into the file, or move each account to another plan: plan set --account <handle> --plan free.',
  );
});

it('a server whose list lacks the plan answers 503 and logs it until the account is moved', async () => {
  const { database } = test;
  const account = await makeAccount(database, { handle: 'moved-elsewhere' });
  await setPlan(database, WITH_GOLD, account.accountId, 'gold');
  const listing = await makeListing(database);
  const call = () =>
    callOperation(operationParts(database), credentialOf(account.key), requestFor(listing.repository));

  const overage = () =>
    setOverage(database, PLAN_BOOK, account.accountId, { enabled: true, capCredits: null });
  for (const ask of [call, overage]) {
    const failure = await failureOf(ask());
    expect(failure.code).toBe('unavailable');
    expect(failure.message).toContain('lacks the account\'s plan "gold"');
    expect(failure.details).toMatchObject({
      retryAfterSeconds: 60,
      logged: { level: 'error', fields: { plan: 'gold' }, message: expect.stringContaining('PLANS_FILE') },
    });
  }
  expect(await database.query('SELECT 1 FROM usage_run')).toEqual([]);

  await setPlan(database, PLAN_BOOK, account.accountId, 'free');
  expect(await call()).toMatchObject({ kind: 'settled', source: 'free' });
});
