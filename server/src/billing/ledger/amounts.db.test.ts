import { describe, expect, it } from 'vitest';
import { makeAccount } from '../../../testing/factories.ts';
import { useLedger } from '../../../testing/ledger/ledger-harness.ts';
import { adjust, grant } from './grant-and-adjust.ts';

const world = useLedger();
const BILLION = 1_000_000_000;
const REFUSED = { code: 'invalid_request' };

const give = async (changes: object) =>
  grant(world.database, {
    accountId: (await makeAccount(world.database)).accountId,
    source: 'gifted',
    credits: 1,
    months: 1,
    note: '',
    ...changes,
  });

describe('a grant', () => {
  it.each([{ credits: 1 }, { credits: BILLION }, { months: 1_200 }])('may have %s', async (changes) => {
    expect((await give(changes)).bucketId).toBeGreaterThan(0);
  });

  it.each([
    { credits: 0 },
    { credits: BILLION + 1 },
    { credits: 1.5 },
    { credits: Number.NaN },
    { months: 0 },
    { months: 1_201 },
    { months: 0.5 },
  ])('of %s is refused', async (changes) => {
    await expect(give(changes)).rejects.toMatchObject(REFUSED);
  });

  it('is refused for an unknown or deleted account', async () => {
    const { accountId } = await makeAccount(world.database);
    await world.database.query('UPDATE account SET deleted_at = ledger_now() WHERE id = $1', [accountId]);

    await expect(give({ accountId })).rejects.toMatchObject({ code: 'not_found' });
    await expect(give({ accountId: '00000000-0000-7000-8000-000000000000' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('an adjustment', () => {
  it.each([1, -1, BILLION])('may be %s', async (credits) => {
    const { accountId } = await makeAccount(world.database);
    const { bucketId } = await give({ accountId, credits: 5 });
    const other = await give({ accountId, credits: 7 });

    expect(await adjust(world.database, { accountId, bucketId, credits, note: '' })).toMatchObject({
      total: 5 + credits,
    });
    const untouched = await world.database.query('SELECT total FROM credit_bucket WHERE id = $1', [
      other.bucketId,
    ]);
    expect(untouched).toEqual([{ total: 7 }]);
  });

  it.each([0, BILLION + 1, -BILLION - 1, 0.5])('is refused with %s credits', async (credits) => {
    const { accountId } = await makeAccount(world.database);
    const { bucketId } = await give({ accountId, credits: 5 });

    await expect(adjust(world.database, { accountId, bucketId, credits, note: '' })).rejects.toMatchObject(
      REFUSED,
    );
  });

  it("is refused for a deleted account's bucket", async () => {
    const { accountId } = await makeAccount(world.database);
    const { bucketId } = await give({ accountId, credits: 5 });
    await world.database.query('UPDATE account SET deleted_at = ledger_now() WHERE id = $1', [accountId]);

    await expect(adjust(world.database, { accountId, bucketId, credits: 1, note: '' })).rejects.toMatchObject(
      REFUSED,
    );
  });
});
