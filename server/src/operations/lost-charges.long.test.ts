import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { STATEMENT_TEXT } from '../../testing/database-proxy.ts';
import { sampleUnlessNightly } from '../../testing/nightly.ts';
import { failureOf, useLossyCalls } from '../../testing/operations/lossy-calls.ts';
import { createSyncStandIn } from '../../testing/stand-ins/stand-in-backend.ts';
import { untilBlocked } from '../../testing/until-blocked.ts';
import type { Database } from '../platform/database/connect.ts';
import { createScoreSigner } from '../scoring/signing/score-signer.ts';
import { createKey, parseKeySet } from '../scoring/signing/signing-keys.ts';

const CHARGE = STATEMENT_TEXT.charge;

const world = useLossyCalls(createSyncStandIn);
const keys = parseKeySet(JSON.stringify(createKey()), 'the key of this test');
const signer = createScoreSigner('https://directory.example', keys);

describe('a charge of a score known in advance', () => {
  it.each(sampleUnlessNightly(['request', 'answer', 'line'] as const, (loss) => loss === 'answer'))(
    '(lost: %s) is read back: the call succeeds and is charged once',
    async (loss) => {
      world.line.breakAt(CHARGE, loss, 'works');

      const outcome = await world.call(randomUUID());

      if (outcome.kind !== 'settled') throw new Error(outcome.kind);
      expect(await world.runs()).toEqual([{ ledger_id: outcome.ledgerId, state: 'settled' }]);
      expect(outcome.settled.balance.included_used).toBe(1);
      expect(world.doubted).toContain(outcome.ledgerId);
      const [stored] = await world.database.query(
        'SELECT utc_text(score_version) AS version FROM ended_run WHERE ledger_id = $1',
        [outcome.ledgerId],
      );
      expect(stored).toEqual({ version: outcome.settled.scoreVersion });
    },
  );

  it.each(sampleUnlessNightly(['request', 'answer', 'line'] as const, (loss) => loss === 'line'))(
    '(lost: %s) is answered with the signature whose hash is stored, and replayed with this hash',
    async (loss) => {
      const key = randomUUID();
      world.line.breakAt(CHARGE, loss, 'works');

      const outcome = await world.call(key, undefined, { signer });
      const replay = await world.call(key, world.database, { signer });

      if (outcome.kind !== 'settled') throw new Error(outcome.kind);
      const sha256 = outcome.settled.signature?.sha256;
      expect(sha256).toHaveLength(32);
      expect(replay).toMatchObject({ kind: 'replay', run: { signatureSha256: sha256 } });
    },
  );

  it.each(sampleUnlessNightly(['request', 'answer'] as const, (loss) => loss === 'answer'))(
    '(lost: %s) with an unreachable database is a 503, and a retry with the same key returns the outcome',
    async (loss) => {
      const key = randomUUID();
      world.line.breakAt(CHARGE, loss, 'dead');

      const failure = await failureOf(world.call(key));
      world.line.mend();

      expect(failure).toMatchObject({ code: 'unavailable', details: { retryAfterSeconds: 5 } });
      const kind = loss === 'answer' ? 'replay' : 'settled';
      expect(await world.call(key, world.database)).toMatchObject({ kind });
      expect((await world.runs()).map(({ state }) => state)).toEqual(['settled']);
    },
  );

  it('is found, not made twice, if its statement continued after the connection was lost', async () => {
    await world.call(randomUUID());
    const blocker = await world.database.sequelize.transaction();
    await world.database.sequelize.query('SELECT 1 FROM credit_bucket WHERE account_id = $1 FOR UPDATE', {
      transaction: blocker,
      bind: [world.accountId],
    });
    world.line.breakAt(CHARGE, 'line', 'works');
    const waiting = world.call(randomUUID());
    // Wait until two statements are blocked: the one whose result is lost, and its retry.
    await untilBlocked(world.database, waiting, 2);
    await blocker.rollback();

    const outcome = await waiting;

    if (outcome.kind !== 'settled') throw new Error(outcome.kind);
    expect((await world.runs()).map(({ state }) => state)).toEqual(['settled', 'settled']);
    expect((await world.runs()).map(({ ledger_id }) => ledger_id)).toContain(outcome.ledgerId);
    expect(outcome.settled.balance.included_used).toBe(2);
  });

  it('is not refused as uncharged while its statement may still be in progress', async () => {
    const { database, accountId } = world;
    await world.call(randomUUID());
    const blocker = await database.sequelize.transaction();
    const locking = { transaction: blocker, bind: [accountId] };
    await database.sequelize.query('SELECT 1 FROM credit_bucket WHERE account_id = $1 FOR UPDATE', locking);
    let orphan: Promise<unknown> | null = null;
    const query: Database['query'] = async (sql, bind) => {
      if (orphan || !sql.includes(CHARGE)) return database.query(sql, bind);
      orphan = database.query(sql, bind);
      await untilBlocked(database, orphan);
      await database.query('UPDATE access_key SET paused_at = ledger_now() WHERE account_id = $1', [
        accountId,
      ]);
      throw Object.assign(new Error('the line broke'), { code: 'ECONNRESET' });
    };

    const failure = await failureOf(world.call(randomUUID(), { ...database, query }));
    await blocker.rollback();
    await orphan;

    expect(failure).toMatchObject({ code: 'unavailable', details: { retryAfterSeconds: 5 } });
    expect((await world.runs()).map(({ state }) => state)).toEqual(['settled', 'settled']);
  });
});
