import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  credentialOf,
  giveCredits,
  makeAccount,
  makeListing,
  makeSession,
} from '../../../testing/factories.ts';
import { refusal, useOperations } from '../../../testing/operations/operation-harness.ts';
import { listOwnReceipts, readOwnReceipt } from '../../../testing/receipts/read-own-receipts.ts';
import { refuse } from '../../../testing/stand-ins/stand-in-backend.ts';
import { endSession } from '../../access/callers/session.ts';
import { revokeKey } from '../../access/keys/own-keys.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { Credential } from '../../platform/http/credentials/principal.ts';
import { hashSecret } from '../../platform/http/credentials/secret.ts';
import type { ReceiptFilters } from './read-receipts.ts';
import { presentReceipt } from './receipts.handlers.ts';

const world = useOperations();
const { run, runAs } = world;

const read = (credential: Credential, ledgerId: string) =>
  readOwnReceipt(world.database, credential, ledgerId);

const list = (credential: Credential, filters: Partial<ReceiptFilters> = {}) =>
  listOwnReceipts(world.database, credential, filters);

async function runId(call: Promise<{ kind: string }>): Promise<string> {
  const outcome = (await call.catch((error) => error)) as {
    ledgerId?: string;
    details?: { ledgerId: string };
  };
  return outcome.ledgerId ?? outcome.details?.ledgerId ?? '';
}

describe('a receipt', () => {
  it('shows the subject of a settled call, its payment and its score version', async () => {
    const account = await makeAccount(world.database);
    const outcome = await run(account, { idempotencyKey: 'k' });
    if (outcome.kind !== 'settled') throw new Error(outcome.kind);

    const receipt = presentReceipt(await read(credentialOf(account.key), outcome.ledgerId));

    expect(receipt).toEqual({
      ledger_id: outcome.ledgerId,
      state: 'settled',
      attempt: 1,
      idempotency_key: 'k',
      operation: 'agent_score',
      subject: {
        canonical_id: world.listing.subjectId,
        agent_id: world.listing.agentId,
        type: 'agent',
        name: expect.any(String),
        repository: world.listing.repository,
        public_path: `/a/${world.listing.repository}`,
      },
      price_credits: 10,
      amount: 1,
      charged: 1,
      unit: 'call',
      charge_source: 'free',
      period: {
        period_kind: 'month',
        period_start: outcome.settled.balance.period_start,
        period_end: outcome.settled.balance.period_end,
      },
      key_id: account.key.id,
      score_version: outcome.settled.scoreVersion,
      signature_sha256: null,
      failure: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{6}Z$/),
      ended_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{6}Z$/),
    });
  });

  it('of a failed call shows a failure code and no charge', async () => {
    const account = await makeAccount(world.database);
    await giveCredits(world.database, account.accountId, 10);
    world.backend.behave(refuse);
    const ledgerId = await runId(run(account));

    expect(presentReceipt(await read(credentialOf(account.key), ledgerId))).toMatchObject({
      state: 'failed',
      failure: 'scoring_failed',
      amount: 1,
      charged: 0,
      score_version: null,
    });
  });

  it.each([
    ['upstream', 'scoring_failed'],
    ['upstream_timeout', 'scoring_timed_out'],
    ['upstream_rejected', 'score_unusable'],
    ['lease_expired', 'not_finished'],
  ] as const)('tells %s as %s', async (code, word) => {
    const account = await makeAccount(world.database);
    const ledgerId = await runId(run(account));
    const receipt = await read(credentialOf(account.key), ledgerId);

    expect(presentReceipt({ ...receipt, run: { ...receipt.run, fail_code: code } }).failure).toBe(word);
  });

  it('shows the key that a session named, or none', async () => {
    const account = await makeAccount(world.database);
    const { token } = await makeSession(world.database, account.accountId);
    const session: Credential = { kind: 'session', hash: hashSecret(token) };
    const named = await runId(runAs(session, { apiKeyId: account.key.id }));
    const unnamed = await runId(runAs(session));

    expect((await read(session, named)).run.counted_key_id).toBe(account.key.id);
    expect((await read(session, unnamed)).run.counted_key_id).toBeNull();
  });

  it('remains if its subject no longer exists', async () => {
    const account = await makeAccount(world.database);
    const gone = await makeListing(world.database);
    const ledgerId = await runId(run(account, { subject: gone.repository }));
    await world.database.query('DELETE FROM subject_alias WHERE subject_id = $1', [gone.subjectId]);

    expect(presentReceipt(await read(credentialOf(account.key), ledgerId))).toMatchObject({
      ledger_id: ledgerId,
      subject: null,
    });
  });

  it('is read with its id in any letter case, by any key or session of its account', async () => {
    const account = await makeAccount(world.database);
    const ledgerId = await runId(run(account));
    const { token } = await makeSession(world.database, account.accountId);
    await world.database.query("UPDATE access_key SET scopes = '{agents:register}' WHERE id = $1", [
      account.key.id,
    ]);

    for (const credential of [
      credentialOf(account.key),
      { kind: 'session', hash: hashSecret(token) } as const,
    ]) {
      expect((await read(credential, ledgerId.toUpperCase())).run.ledger_id).toBe(ledgerId);
    }
  });

  it('of another account gets the same answer as an unknown one', async () => {
    const [one, two] = [await makeAccount(world.database), await makeAccount(world.database)];
    const ledgerId = await runId(run(one));

    const errors = await Promise.all(
      [ledgerId, randomUUID()].map((id) => read(credentialOf(two.key), id).catch((error) => error)),
    );

    for (const error of errors) expect(error.code).toBe('not_found');
    const [foreign, unknown] = errors.map(({ message }) => message.replace(/[0-9a-f-]{36}/, ''));
    expect(foreign).toBe(unknown);
  });
});

describe('the list of receipts', () => {
  it('contains the account’s own receipts, newest first, for all its keys', async () => {
    const [one, two] = [await makeAccount(world.database), await makeAccount(world.database)];
    const ids: string[] = [];
    for (let call = 0; call < 5; call++) ids.unshift(await runId(run(one)));
    const foreign = await runId(run(two));

    expect(await list(credentialOf(one.key))).toEqual({ ids, nextCursor: null });
    expect(await list(credentialOf(two.key))).toEqual({ ids: [foreign], nextCursor: null });
  });

  it('is paged without gaps or repeats while new receipts arrive', async () => {
    const account = await makeAccount(world.database);
    const credential = credentialOf(account.key);
    const ids: string[] = [];
    for (let call = 0; call < 7; call++) ids.unshift(await runId(run(account)));

    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list(credential, { cursor, limit: 3 });
      seen.push(...page.ids);
      cursor = page.nextCursor;
      await run(account);
    } while (cursor);

    expect(seen).toEqual(ids);
  });

  it('is paged without gaps or repeats over receipts with the same time', async () => {
    const account = await makeAccount(world.database);
    const credential = credentialOf(account.key);
    const before = await runId(run(account));
    const together = [
      await runId(run(account)),
      await runId(run(account, { operation: 'agent_skill_lineage' })),
    ];
    world.backend.behave(refuse);
    together.push(await runId(run(account)), await runId(run(account)));
    const after = await runId(run(account));
    await inTransaction(world.database, async (connection) => {
      await connection.query("SET LOCAL session_replication_role = 'replica'");
      await connection.query(
        `UPDATE ended_run SET created_at = (SELECT max(created_at) FROM ended_run WHERE ledger_id = ANY ($1)) WHERE ledger_id = ANY ($1)`,
        [together],
      );
    });
    const newestFirst = [after, ...together.sort().reverse(), before];

    for (const limit of [1, 2, 3, 4, 5]) {
      const seen: string[] = [];
      for (let cursor: string | null = null, pages = 0; pages < 10; pages += 1) {
        const page = await list(credential, { cursor, limit });
        seen.push(...page.ids);
        cursor = page.nextCursor;
        if (cursor === null) break;
      }
      expect(seen).toEqual(newestFirst);
    }
  });

  it('has no next page after a full last page', async () => {
    const account = await makeAccount(world.database);
    for (let call = 0; call < 2; call++) await run(account);

    expect((await list(credentialOf(account.key), { limit: 2 })).nextCursor).toBeNull();
    expect((await list(credentialOf(account.key), { limit: 1 })).nextCursor).not.toBeNull();
  });

  it('is filtered by operation, by state, and by both', async () => {
    const account = await makeAccount(world.database);
    const credential = credentialOf(account.key);
    const settled = await runId(run(account));
    const lineage = await runId(run(account, { operation: 'agent_skill_lineage' }));
    world.backend.behave(refuse);
    const failed = await runId(run(account));

    expect((await list(credential, { operation: 'agent_score' })).ids).toEqual([failed, settled]);
    expect((await list(credential, { state: 'settled' })).ids).toEqual([lineage, settled]);
    expect((await list(credential, { operation: 'agent_score', state: 'failed' })).ids).toEqual([failed]);
    expect((await list(credential, { state: 'reserved' })).ids).toEqual([]);
  });

  it.each([
    '',
    'W10',
    Buffer.from('["x"]').toString('base64url'),
    Buffer.from(`["${randomUUID()}","${randomUUID()}"]`).toString('base64url'),
    Buffer.from(`["2027-02-31T00:00:00.000000Z","${randomUUID()}"]`).toString('base64url'),
    Buffer.from(`["2027-02-28T24:00:00.000000Z","${randomUUID()}"]`).toString('base64url'),
    Buffer.from(`"${randomUUID()}"`).toString('base64url'),
  ])('refuses the cursor %j', async (cursor) => {
    const account = await makeAccount(world.database);

    expect(await refusal(list(credentialOf(account.key), { cursor }))).toBe('invalid_request');
  });

  it('does not show another account’s receipts for its cursor', async () => {
    const [one, two] = [await makeAccount(world.database), await makeAccount(world.database)];
    for (let call = 0; call < 3; call++) await run(one);
    const { nextCursor } = await list(credentialOf(one.key), { limit: 1 });

    expect((await list(credentialOf(two.key), { cursor: nextCursor })).ids).toEqual([]);
  });
});

describe('who may read receipts', () => {
  it.each([
    ['revoked_at = ledger_now()', 'key_revoked'],
    ['paused_at = ledger_now()', 'key_paused'],
    ['expires_at = ledger_now()', 'key_expired'],
  ])('not a key with %s', async (change, code) => {
    const account = await makeAccount(world.database);
    const ledgerId = await runId(run(account));
    await world.database.query(`UPDATE access_key SET ${change} WHERE id = $1`, [account.key.id]);

    expect(await refusal(read(credentialOf(account.key), ledgerId))).toBe(code);
    expect(await refusal(list(credentialOf(account.key)))).toBe(code);
  });

  it('nobody once a revocation or a sign-out is confirmed', async () => {
    const account = await makeAccount(world.database);
    const { sessionId, token } = await makeSession(world.database, account.accountId);
    const session: Credential = { kind: 'session', hash: hashSecret(token) };
    await list(session);
    await list(credentialOf(account.key));

    await revokeKey(world.database, { id: account.accountId, handle: null }, account.key.id);
    await endSession(world.database, sessionId);

    expect(await refusal(list(credentialOf(account.key)))).toBe('key_revoked');
    expect(await refusal(list(session))).toBe('unauthorized');
  });

  it('nobody with an unknown key or from a suspended account', async () => {
    const account = await makeAccount(world.database);
    await world.database.query('UPDATE account SET suspended_at = ledger_now() WHERE id = $1', [
      account.accountId,
    ]);

    expect(await refusal(list(credentialOf(account.key)))).toBe('key_paused');
    expect(await refusal(list(credentialOf({ secret: 'svc_live_unknown' })))).toBe('unauthorized');
  });
});
