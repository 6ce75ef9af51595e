import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { planBookWith } from '../../../torture/call-in-process.ts';
import { credentialOf, giveCredits, makeAccount, makeListing, PLAN_BOOK } from '../../testing/factories.ts';
import { newProcess } from '../../testing/ledger/batches.ts';
import { refusal, useOperations } from '../../testing/operations/operation-harness.ts';
import { requestFor } from '../../testing/operations/operation-parts.ts';
import { createSyncStandIn } from '../../testing/stand-ins/stand-in-backend.ts';
import { makePlatformAccount } from '../../testing/subjects/account.factory.ts';
import { makeArtifact, makeListing as makeRegistered } from '../../testing/subjects/registry.factory.ts';
import { createPublicUrls } from '../catalog/subjects/public-path.ts';
import { resolveSubject, toResolved } from '../catalog/subjects/resolve-subject.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { FACTS_BY_TYPE, loadFacts } from '../scoring/facts/load-facts.ts';
import { readCall, readCallSql } from './call-context.ts';
import {
  describeCall,
  METERED_OPERATIONS,
  type OperationCall,
  type OperationRequest,
} from './operation-call.ts';

const world = useOperations();
const NAMING = createPublicUrls('http://127.0.0.1:4000');
const NOBODY = { kind: 'key', hash: Buffer.alloc(32) } as const;
const CREATOR_OF_LISTING = 'SELECT creator_id AS id FROM listing WHERE subject_id = $1';

let key: { secret: string };
let other: { subjectId: string };

beforeAll(async () => {
  const account = await makeAccount(world.database);
  await giveCredits(world.database, account.accountId, 100);
  key = account.key;
  other = await makeListing(world.database);
  await world.database.query("UPDATE subject SET name = 'twin' WHERE id = ANY ($1::uuid[])", [
    [world.listing.subjectId, other.subjectId],
  ]);
  await world.database.query(
    "INSERT INTO subject_alias (label, subject_type, subject_id, kind) SELECT 'twin', type, id, 'name' FROM subject WHERE name = 'twin'",
  );
});

function call(changes: Partial<OperationRequest> = {}, credential = credentialOf(key)): OperationCall {
  return describeCall(PLAN_BOOK, credential, requestFor(world.listing.repository, changes));
}

/** Returns the parts of a read that tests compare, without the time at which facts were read. */
function told({ caller, subjects, facts }: Awaited<ReturnType<typeof readCall>>) {
  const resolved = subjects.map((subject) => toResolved(subject, NAMING));
  return { caller, resolved, facts: facts && { ...facts, now: null } };
}

describe('concurrent calls', () => {
  it('are read by one statement, and each gets the same answer as alone', async () => {
    await world.runAs(credentialOf(key), { idempotencyKey: 'done' });
    const calls = [
      call(),
      call({}, NOBODY),
      call({ subject: other.subjectId }),
      call({ subject: 'nothing of that name' }),
      call({ subject: 'twin' }),
      call({ idempotencyKey: 'done' }),
      call({ subject: '\u0000 and \ud83d, which no text can hold' }),
      call(),
    ];
    const { database, sizes } = newProcess(world.database);

    const together = await Promise.all(calls.map((each) => readCall(database, each, NAMING)));

    expect(sizes).toEqual([calls.length]);
    const alone = [];
    for (const each of calls) alone.push(await readCall(world.database, each, NAMING));
    expect(together.map(told)).toEqual(alone.map(told));
    expect(together.map(({ caller }) => caller !== null)).toEqual([true, false, ...Array(6).fill(true)]);
    expect(together.map(({ subjects }) => subjects.length)).toEqual([1, 0, 1, 0, 2, 1, 0, 1]);
    // Settled keys are replayed without facts, and unknown callers have none.
    const scorable = [true, false, true, false, false, false, false, true];
    expect(together.map(({ facts }) => facts !== null)).toEqual(scorable);
  });

  it('with different kinds of facts are read separately', async () => {
    const [creator] = await world.database.query<{ id: string }>(CREATOR_OF_LISTING, [
      world.listing.subjectId,
    ]);
    const { database, sizes } = newProcess(world.database);

    const [agent, maker] = await Promise.all([
      readCall(database, call(), NAMING),
      readCall(database, call({ operation: 'creator_score', subject: creator?.id ?? '' }), NAMING),
    ]);

    expect(sizes).toEqual([1, 1]);
    expect(agent?.facts?.subject).toMatchObject({ id: world.listing.subjectId, type: 'agent' });
    expect(maker?.facts?.subject).toMatchObject({ id: creator?.id, type: 'creator' });
  });

  it('are isolated from failures of other items', async () => {
    const { database, sizes } = newProcess(world.database);
    const tooDear = { ...call({}, NOBODY), priceCredits: 2 ** 40 };

    const [one, cursed, another] = await Promise.allSettled(
      [call(), tooDear, call({ subject: other.subjectId })].map((each) => readCall(database, each, NAMING)),
    );

    expect(cursed).toMatchObject({ status: 'rejected' });
    expect(one).toMatchObject({ value: { facts: { subject: { id: world.listing.subjectId } } } });
    expect(another).toMatchObject({ value: { facts: { subject: { id: other.subjectId } } } });
    expect(sizes).toEqual([3, 1, 1, 1]);
  });
});

describe('the combined read', () => {
  it('returns the same as resolver and facts separately, for each type of subject', async () => {
    const parent = await makeRegistered(world.database);
    const listing = await makeRegistered(world.database, {
      type: 'agent',
      parentId: parent.id,
      host: 'gitlab.com',
    });
    const [creator] = await world.database.query<{ id: string }>(CREATOR_OF_LISTING, [listing.id]);
    const asked = [
      { operation: 'agent_score', id: listing.id },
      { operation: 'agent_score', id: await makeArtifact(world.database, listing, { type: 'agent' }) },
      { operation: 'skill_score', id: await makeArtifact(world.database, parent) },
      { operation: 'creator_score', id: creator?.id ?? '' },
      { operation: 'social_account_score', id: (await makePlatformAccount(world.database)).id },
    ] as const;

    for (const { operation, id } of asked) {
      const { subjects, facts } = await readCall(world.database, call({ operation, subject: id }), NAMING);

      const types = METERED_OPERATIONS[operation].subjectTypes;
      expect(subjects.map((each) => toResolved(each, NAMING))).toEqual([
        await resolveSubject(world.database, types, id, NAMING),
      ]);
      const apart = (await loadFacts(world.database, [id])).get(id);
      expect({ ...facts, now: null }).toEqual({ ...apart, now: null });
    }
  });

  it('has unique column names, because the driver keeps only the last of several', async () => {
    const kinds = new Set(Object.values(FACTS_BY_TYPE));
    for (const kind of kinds)
      for (const caller of ['key', 'session'] as const)
        await inTransaction(world.database, async (connection) => {
          const sql = readCallSql(caller, kind).replaceAll('$1', "'[]'");
          // PostgreSQL rejects a table with duplicate column names (42701).
          expect(await connection.query(`CREATE TEMP TABLE read_of_a_call ON COMMIT DROP AS ${sql}`)).toEqual(
            [],
          );
        });
  });
});

describe('refusals of a call', () => {
  const UNKNOWN = { subject: 'nothing of that name' };
  /**
   * Makes a call for an unknown subject, from an account with a used key and this many free calls, and returns its
   * refusal.
   */
  const refuses = async (
    changes: Partial<OperationRequest>,
    freeCalls: number,
    key = "scopes = '{lineage:read}'",
  ) => {
    const account = await makeAccount(world.database);
    const parts = { backend: createSyncStandIn(), planBook: planBookWith(freeCalls) };
    await world.run(account, { idempotencyKey: 'used' }, parts);
    await world.database.query(`UPDATE access_key SET ${key} WHERE id = $1`, [account.key.id]);
    return refusal(world.run(account, { ...UNKNOWN, ...changes }, parts));
  };

  it('follow one order if several apply: the subject comes last', async () => {
    const reused = { idempotencyKey: 'used' };

    expect(await refusal(world.runAs(NOBODY, { ...UNKNOWN, ...reused }))).toBe('unauthorized');
    expect(await refuses(reused, 1, 'revoked_at = ledger_now()')).toBe('key_revoked');
    expect(await refuses(reused, 1, "paused_at = ledger_now(), scopes = '{lineage:read}'")).toBe(
      'key_paused',
    );
    expect(await refuses({ ...reused, apiKeyId: randomUUID() }, 1)).toBe('key_mismatch');
    expect(await refuses(reused, 1)).toBe('insufficient_scope');
    expect(await refuses(reused, 1, 'paused_at = NULL')).toBe('idempotency_key_reused');
    expect(await refuses({}, 1, 'paused_at = NULL')).toBe('insufficient_credits');
    expect(await refuses({}, 2, 'paused_at = NULL')).toBe('subject_not_found');
  });

  it('do not apply to a replay of a settled key, which takes one statement and returns its subject', async () => {
    const { database, sizes } = newProcess(world.database);
    const account = await makeAccount(world.database);
    const once = { idempotencyKey: randomUUID() };
    await world.run(account, once);

    const replay = await world.run(account, once, { database });

    expect(replay).toMatchObject({ kind: 'replay', subject: { id: world.listing.subjectId } });
    expect(sizes).toEqual([1]);
  });
});
