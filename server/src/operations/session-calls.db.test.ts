import { describe, expect, it } from 'vitest';
import { setClock } from '../../testing/clock.ts';
import {
  credentialOf,
  giveCredits,
  makeAccount,
  makeKey,
  makeSession,
  type TestAccount,
} from '../../testing/factories.ts';
import { refusal, useOperations } from '../../testing/operations/operation-harness.ts';
import { endSession } from '../access/callers/session.ts';
import { newLedgerId, type ReserveInput, reserve } from '../billing/ledger/reserve.ts';
import type { Credential } from '../platform/http/credentials/principal.ts';
import { hashSecret } from '../platform/http/credentials/secret.ts';

const world = useOperations();
const { run, runAs, totals } = world;

interface SignedIn extends TestAccount {
  credential: Credential;
  sessionId: string;
}

async function signedIn(): Promise<SignedIn> {
  const account = await makeAccount(world.database, { plan: 'builder' });
  const { sessionId, token } = await makeSession(world.database, account.accountId);
  return { ...account, sessionId, credential: { kind: 'session', hash: hashSecret(token) } };
}

async function runOf({ accountId }: SignedIn) {
  const [row] = await world.database.query(
    'SELECT key_id, session_id, attributed_key_id FROM usage_run WHERE account_id = $1',
    [accountId],
  );
  return row;
}

/** Builds the input of `reserve` for a call of this session, without the look-up. */
function reserveInput(caller: SignedIn, namedKeyId: string | null): ReserveInput {
  return {
    credential: caller.credential,
    accountId: caller.accountId,
    callerId: caller.sessionId,
    namedKeyId,
    scope: 'scores:read',
    idempotencyKey: 'straight to S1',
    fingerprint: Buffer.alloc(32),
    priceCredits: 10,
    ledgerId: newLedgerId(),
    operation: 'agent_score',
    subjectId: world.listing.subjectId,
    leaseMs: 60_000,
  };
}

const KEY_STATES = [
  ['revoked', 'revoked_at = ledger_now()', 'key_inactive'],
  ['paused', 'paused_at = ledger_now()', 'key_inactive'],
  ['expired', 'expires_at = ledger_now()', 'key_inactive'],
  ['without the scope', "scopes = '{lineage:read}'", 'insufficient_scope'],
] as const;

const ENDINGS = [
  ['ended', 'ended_at = ledger_now()'],
  ['without a request for 30 minutes', "last_seen_at = ledger_now() - interval '30 minutes'"],
  ['older than 12 hours', 'expires_at = ledger_now()'],
] as const;

describe('a call in a session', () => {
  it('is charged to its account and attributed to no key', async () => {
    const caller = await signedIn();

    expect(await runAs(caller.credential)).toMatchObject({ kind: 'settled', source: 'free' });

    expect(await runOf(caller)).toEqual({
      key_id: null,
      session_id: caller.sessionId,
      attributed_key_id: null,
    });
    expect(await totals(caller)).toEqual({ runs: 1, used: 1, held: 0 });
  });

  it('may use every operation', async () => {
    const caller = await signedIn();

    const call = { operation: 'agent_skill_lineage', subject: world.listing.repository } as const;

    expect(await runAs(caller.credential, call)).toMatchObject({ kind: 'settled' });
  });

  it('is attributed to the key that it names, in any letter case', async () => {
    const caller = await signedIn();

    await runAs(caller.credential, { apiKeyId: caller.key.id.toUpperCase() });

    expect(await runOf(caller)).toEqual({
      key_id: null,
      session_id: caller.sessionId,
      attributed_key_id: caller.key.id,
    });
  });

  it('shares idempotency keys with the account’s access keys', async () => {
    const caller = await signedIn();

    const first = await run(caller, { idempotencyKey: 'k' });

    expect(await runAs(caller.credential, { idempotencyKey: 'k' })).toMatchObject({
      kind: 'replay',
      run: { ledgerId: first.kind === 'settled' && first.ledgerId },
    });
  });

  it.each(KEY_STATES)(
    'must not name a key that is %s, not even for a dry run or a replay',
    async (_s, change, code) => {
      const caller = await signedIn();
      await runAs(caller.credential, { idempotencyKey: 'k', apiKeyId: caller.key.id });
      await world.database.query(`UPDATE access_key SET ${change} WHERE id = $1`, [caller.key.id]);
      const before = await totals(caller);

      for (const changes of [{}, { dryRun: true }, { idempotencyKey: 'k' }]) {
        const call = runAs(caller.credential, { apiKeyId: caller.key.id, ...changes });
        expect(await refusal(call)).toBe(code);
      }
      expect(await totals(caller)).toEqual(before);
      expect(await runAs(caller.credential)).toMatchObject({ kind: 'settled' });
    },
  );

  it('gets the same answer for an unknown and another account’s key', async () => {
    const caller = await signedIn();
    const other = await signedIn();

    const messages = [];
    for (const apiKeyId of ['00000000-0000-4000-8000-000000000000', other.key.id, 'key_1', '']) {
      const error = await runAs(caller.credential, { apiKeyId }).catch((thrown) => thrown);
      expect(error.code).toBe('key_mismatch');
      messages.push(error.message);
    }
    expect(new Set(messages).size).toBe(1);
    expect(await totals(caller)).toEqual({ runs: 0, used: 0, held: 0 });
  });

  it.each(ENDINGS)('is refused once the session is %s, also for a replay', async (_state, change) => {
    const caller = await signedIn();
    await runAs(caller.credential, { idempotencyKey: 'k' });
    await world.database.query(`UPDATE session SET ${change} WHERE id = $1`, [caller.sessionId]);

    expect(await refusal(runAs(caller.credential))).toBe('unauthorized');
    expect(await refusal(runAs(caller.credential, { idempotencyKey: 'k' }))).toBe('unauthorized');
    expect(await totals(caller)).toEqual({ runs: 1, used: 1, held: 0 });
  });

  it('keeps its session alive, but no other one', async () => {
    const caller = await signedIn();
    const idle = await makeSession(world.database, caller.accountId);
    const start = Date.now();
    for (let minutes = 20; minutes <= 100; minutes += 20) {
      await setClock(world.database, new Date(start + minutes * 60_000).toISOString());
      expect(await runAs(caller.credential)).toMatchObject({ kind: 'settled' });
    }

    const credential: Credential = { kind: 'session', hash: hashSecret(idle.token) };
    expect(await refusal(runAs(credential))).toBe('unauthorized');
    await setClock(world.database, new Date(start + 131 * 60_000).toISOString());
    expect(await refusal(runAs(caller.credential))).toBe('unauthorized');
  });

  it('ends after 12 hours, however busy', async () => {
    const caller = await signedIn();
    const start = Date.now();
    for (let minutes = 25; minutes < 12 * 60; minutes += 25) {
      await setClock(world.database, new Date(start + minutes * 60_000).toISOString());
      await runAs(caller.credential, { dryRun: true });
    }

    await setClock(world.database, new Date(start + 12 * 3_600_000 + 1_000).toISOString());
    expect(await refusal(runAs(caller.credential))).toBe('unauthorized');
  });
});

describe('a hold in a session', () => {
  it.each(ENDINGS)(
    'opens nothing if the session is %s, whatever the look-up returned',
    async (_s, change) => {
      const caller = await signedIn();
      await giveCredits(world.database, caller.accountId, 100);
      await world.database.query(`UPDATE session SET ${change} WHERE id = $1`, [caller.sessionId]);

      expect(await reserve(world.database, reserveInput(caller, null))).toBeNull();
    },
  );

  it.each(KEY_STATES)(
    'opens nothing for a named key that is %s, whatever the look-up returned',
    async (_s, change) => {
      const caller = await signedIn();
      await giveCredits(world.database, caller.accountId, 100);
      await world.database.query(`UPDATE access_key SET ${change} WHERE id = $1`, [caller.key.id]);

      expect(await reserve(world.database, reserveInput(caller, caller.key.id))).toBeNull();
    },
  );

  it('opens nothing for another account’s key', async () => {
    const caller = await signedIn();
    await giveCredits(world.database, caller.accountId, 100);

    expect(await reserve(world.database, reserveInput(caller, (await signedIn()).key.id))).toBeNull();
  });
});

describe('a change between look-up and hold', () => {
  /** Makes a call whose session or key changes after authorization, before its hold, and returns its refusal. */
  async function overtaken(caller: SignedIn, apiKeyId: string | null, change: () => Promise<unknown>) {
    return refusal(runAs(caller.credential, { apiKeyId }, { database: interceptedBeforeHold(change) }));
  }

  /** Wraps the database so that it applies a change right before reserve is sent. */
  function interceptedBeforeHold(change: () => Promise<unknown>) {
    const { database } = world;
    let changed = false;
    return {
      ...database,
      async query(sql: string, bind?: readonly unknown[]) {
        if (!changed && sql.includes('INSERT INTO open_run')) {
          changed = true;
          await change();
        }
        return database.query(sql, bind);
      },
    } as typeof database;
  }

  it('is reported with its own error, and opens no run', async () => {
    const [signedOut, unkeyed, suspended] = [await signedIn(), await signedIn(), await signedIn()];
    const { database } = world;

    const codes = [
      await overtaken(signedOut, null, () => endSession(database, signedOut.sessionId)),
      await overtaken(unkeyed, unkeyed.key.id, () =>
        database.query('UPDATE access_key SET revoked_at = ledger_now() WHERE id = $1', [unkeyed.key.id]),
      ),
      await overtaken(suspended, null, () =>
        database.query('UPDATE account SET suspended_at = ledger_now() WHERE id = $1', [suspended.accountId]),
      ),
    ];

    expect(codes).toEqual(['unauthorized', 'key_inactive', 'key_paused']);
    for (const caller of [signedOut, unkeyed, suspended]) {
      expect(await totals(caller)).toEqual({ runs: 0, used: 0, held: 0 });
    }
  });
});

describe('a suspended or deleted account', () => {
  it.each(['suspended_at', 'deleted_at'])('opens no run by its keys or sessions (%s)', async (column) => {
    const caller = await signedIn();
    await run(caller, { idempotencyKey: 'k' });
    const another = await makeKey(world.database, caller.accountId);
    await world.database.query(`UPDATE account SET ${column} = ledger_now() WHERE id = $1`, [
      caller.accountId,
    ]);

    expect(await refusal(run(caller))).toBe('key_paused');
    expect(await refusal(run(caller, { idempotencyKey: 'k' }))).toBe('key_paused');
    expect(await refusal(run({ ...caller, key: another }, { dryRun: true }))).toBe('key_paused');
    expect(await refusal(runAs(caller.credential))).toBe('key_paused');
    expect(await reserve(world.database, reserveInput(caller, null))).toBeNull();
    const keyInput = { ...reserveInput(caller, null), callerId: caller.key.id };
    const byKey = { ...keyInput, credential: credentialOf(caller.key) };
    expect(await reserve(world.database, byKey)).toBeNull();
  });
});
