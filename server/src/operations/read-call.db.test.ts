import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { planBookWith } from '../../../torture/call-in-process.ts';
import { credentialOf, giveCredits, makeAccount, makeListing, PLAN_BOOK } from '../../testing/factories.ts';
import { newProcess } from '../../testing/ledger/batches.ts';
import { refusal, useOperations } from '../../testing/operations/operation-harness.ts';
import { requestFor } from '../../testing/operations/operation-parts.ts';
import { createStandInAtOnce } from '../../testing/stand-ins/stand-in-backend.ts';
import { makePlatformAccount } from '../../testing/subjects/account.factory.ts';
import { makeArtifact, makeListing as makeRegistered } from '../../testing/subjects/registry.factory.ts';
import { inTransaction } from '../database/transaction.ts';
import { loadFacts } from '../scoring/facts/load-facts.ts';
import { createNaming } from '../subjects/naming.ts';
import { resolveSubject, toResolved } from '../subjects/resolve-subject.ts';
import { METERED_OPERATIONS } from './metered-operation.ts';
import { describeCall, type OperationCall, type OperationRequest } from './operation-call.ts';
import { readCallSql } from './read-call.sql.ts';
import { readCall } from './read-call.ts';

const world = useOperations();
const NAMING = createNaming('http://127.0.0.1:4000');
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

/** What was read, but for the moment at which it was. */
function told({ caller, subjects, facts }: Awaited<ReturnType<typeof readCall>>) {
  const resolved = subjects.map((subject) => toResolved(subject, NAMING));
  return { caller, resolved, facts: facts && { ...facts, now: null } };
}

describe('calls that come together', () => {
  it('are read by one statement, each answered as if it were alone', async () => {
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
    // A settled key is answered again without them, and who is nobody has none.
    const scorable = [true, false, true, false, false, false, false, true];
    expect(together.map(({ facts }) => facts !== null)).toEqual(scorable);
  });

  it('of kinds that are scored by other facts are read apart', async () => {
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

  it('have nothing of a neighbour’s failure', async () => {
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

describe('what is read in one statement', () => {
  it('is what resolver and facts say one after the other, of each type of subject', async () => {
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

  it('has no two columns of one name, of which the driver would keep the last', async () => {
    const kinds = new Set(Object.values(METERED_OPERATIONS).map(({ facts }) => facts));
    for (const kind of kinds)
      for (const caller of ['key', 'session'] as const)
        await inTransaction(world.database, async (connection) => {
          const sql = readCallSql(caller, kind).replaceAll('$1', "'[]'");
          // PostgreSQL refuses a table with two columns of one name (42701).
          expect(await connection.query(`CREATE TEMP TABLE read_of_a_call ON COMMIT DROP AS ${sql}`)).toEqual(
            [],
          );
        });
  });
});

describe('what a call is refused with', () => {
  const UNKNOWN = { subject: 'nothing of that name' };
  /** A call about nothing that is known, of an account with a used key and so many free calls. */
  const refuses = async (
    changes: Partial<OperationRequest>,
    freeCalls: number,
    key = "scopes = '{lineage:read}'",
  ) => {
    const account = await makeAccount(world.database);
    const parts = { backend: createStandInAtOnce(), planBook: planBookWith(freeCalls) };
    await world.run(account, { idempotencyKey: 'used' }, parts);
    await world.database.query(`UPDATE access_key SET ${key} WHERE id = $1`, [account.key.id]);
    return refusal(world.run(account, { ...UNKNOWN, ...changes }, parts));
  };

  it('is told in one order, whatever else is wrong with it: the subject comes last', async () => {
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

  it('a replay of a settled key is one statement, and its subject is told', async () => {
    const { database, sizes } = newProcess(world.database);
    const account = await makeAccount(world.database);
    const once = { idempotencyKey: randomUUID() };
    await world.run(account, once);

    const replay = await world.run(account, once, { database });

    expect(replay).toMatchObject({ kind: 'replay', subject: { id: world.listing.subjectId } });
    expect(sizes).toEqual([1]);
  });
});
