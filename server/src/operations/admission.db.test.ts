import { describe, expect, it } from 'vitest';
import type { DomainError } from '../domain-error.ts';
import { makeAccount, makeListing, type TestAccount } from '../testing/factories.ts';
import { refusal, useOperations } from './testing/operation-harness.ts';

const world = useOperations();
const { run, totals } = world;

describe('what is refused', () => {
  it('writes nothing and asks nobody', async () => {
    const account = await makeAccount(world.database);
    await run(account);
    const before = await totals(account);
    world.backend.calls.length = 0;
    const foreign = await makeAccount(world.database);
    const stranger: TestAccount = { ...account, key: { ...account.key, secret: 'svc_live_unknown' } };

    expect(await refusal(run(stranger))).toBe('unauthorized');
    expect(await refusal(run(account, { apiKeyId: foreign.key.id }))).toBe('key_mismatch');
    expect(await refusal(run(account, { subject: 'nobody/nothing' }))).toBe('subject_not_found');
    expect(await refusal(run(account, { operation: 'skill_score' }))).toBe('subject_not_found');

    expect(await totals(account)).toEqual(before);
    expect(world.backend.calls).toEqual([]);
  });

  it('an ambiguous name lists its candidates', async () => {
    const account = await makeAccount(world.database);
    const [one, two] = [
      await makeListing(world.database, { name: 'same-name' }),
      await makeListing(world.database, { name: 'same-name' }),
    ];

    const error = (await run(account, { subject: 'same-name' }).catch((thrown) => thrown)) as DomainError;

    expect(error.code).toBe('subject_ambiguous');
    expect(error.details.candidates?.map((each) => each.canonical_id).sort()).toEqual(
      [one.subjectId, two.subjectId].sort(),
    );
  });

  it.each([
    ['revoked_at = ledger_now()', 'key_revoked'],
    ['paused_at = ledger_now()', 'key_paused'],
    ['expires_at = ledger_now()', 'key_expired'],
    ["scopes = '{lineage:read}'", 'insufficient_scope'],
  ])('a key with %s, for a replay too', async (change, code) => {
    const account = await makeAccount(world.database);
    await run(account, { idempotencyKey: 'k' });
    await world.database.query(`UPDATE access_key SET ${change} WHERE id = $1`, [account.key.id]);

    expect(await refusal(run(account, { idempotencyKey: 'k' }))).toBe(code);
    expect(await refusal(run(account))).toBe(code);
  });
});
