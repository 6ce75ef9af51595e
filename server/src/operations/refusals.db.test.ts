import { describe, expect, it } from 'vitest';
import { makeAccount, makeListing, type TestAccount } from '../../testing/factories.ts';
import { refusal, useOperations } from '../../testing/operations/operation-harness.ts';
import type { DomainError } from '../platform/errors/domain-error.ts';

const world = useOperations();
const { run, totals } = world;

/** Removes what remains in every bucket, as an operator's adjustment would. */
async function takeAll({ accountId }: TestAccount): Promise<void> {
  await world.database.query(
    `WITH b AS (UPDATE credit_bucket SET total = used + held WHERE account_id = $1 RETURNING account_id, id, total)
     INSERT INTO bucket_entry (account_id, bucket_id, kind, d_total)
     SELECT b.account_id, b.id, 'adjust', b.total - was.total FROM b JOIN credit_bucket was USING (account_id, id)`,
    [accountId],
  );
}

describe('a refused call', () => {
  it('writes nothing and does not ask the backend', async () => {
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

  it('with an AGT- id of the other type names the right operation and is not charged', async () => {
    const account = await makeAccount(world.database);
    const skill = await makeListing(world.database, { type: 'skill' });

    for (const subject of [skill.agentId, `http://127.0.0.1:4000/s/id/${skill.agentId}`, skill.repository]) {
      await expect(run(account, { subject })).rejects.toMatchObject({
        code: 'subject_not_found',
        message: `No agent matches. "${skill.repository}" is a skill: use skill_score for it.`,
      });
    }
    await expect(
      run(account, { operation: 'skill_score', subject: world.listing.agentId }),
    ).rejects.toMatchObject({ message: expect.stringContaining('use agent_score for it.') });
    expect(await totals(account)).toEqual({ runs: 0, used: 0, held: 0 });
  });

  it.each([
    ['offered but off', 'builder', false, true],
    ['on and used up', 'builder', true, false],
    ['not part of the plan', 'free', false, false],
  ])(
    'that no bucket can pay mentions overage only if it can be enabled (overage %s)',
    async (_what, plan, isOn, isTold) => {
      const account = await makeAccount(world.database, { plan });
      await run(account);
      await world.database.query('UPDATE account SET overage_enabled = $2 WHERE id = $1', [
        account.accountId,
        isOn,
      ]);
      await run(account);
      await takeAll(account);

      for (const dryRun of [false, true]) {
        const error = (await run(account, { dryRun }).catch((thrown) => thrown)) as DomainError;

        expect(error.code).toBe('insufficient_credits');
        expect(error.message.includes('overage')).toBe(isTold);
        if (isTold) expect(error.message).toContain('2000 credits of overage a month, which is off');
      }
    },
  );

  it('with an ambiguous name lists its candidates', async () => {
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
  ])('includes replays: a key with %s', async (change, code) => {
    const account = await makeAccount(world.database);
    await run(account, { idempotencyKey: 'k' });
    await world.database.query(`UPDATE access_key SET ${change} WHERE id = $1`, [account.key.id]);

    expect(await refusal(run(account, { idempotencyKey: 'k' }))).toBe(code);
    expect(await refusal(run(account))).toBe(code);
  });
});
