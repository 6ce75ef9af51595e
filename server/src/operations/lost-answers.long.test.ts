import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { STATEMENT_TEXT } from '../../testing/database-proxy.ts';
import { sampleUnlessNightly } from '../../testing/nightly.ts';
import { failureOf, useLossyCalls } from '../../testing/operations/lossy-calls.ts';
import {
  answer,
  createStandIn,
  refuse,
  type StandInBackend,
} from '../../testing/stand-ins/stand-in-backend.ts';
import { untilBlocked } from '../../testing/until-blocked.ts';

const { reserve: RESERVE, settle: SETTLE, fail: FAIL } = STATEMENT_TEXT;
/** Parts of an exchange with the database that can be lost. */
const LOSSES = ['request', 'answer'] as const;

let backend: StandInBackend;
const world = useLossyCalls(() => backend);
beforeEach(() => {
  backend = createStandIn();
});

describe('a statement whose answer was lost', () => {
  it.each(
    sampleUnlessNightly(
      [
        ['reserve', RESERVE, 'request'],
        ['reserve', RESERVE, 'answer'],
        ['settle', SETTLE, 'request'],
        ['settle', SETTLE, 'answer'],
      ] as const,
      ([, , loss]) => loss === 'answer',
    ),
  )(
    '%s (%s, lost: %s) is read back: the call succeeds, asks the backend once and is charged once',
    async (_name, at, loss) => {
      world.line.breakAt(at, loss, 'works');

      const outcome = await world.call(randomUUID());

      if (outcome.kind !== 'settled') throw new Error(outcome.kind);
      expect(backend.calls).toEqual([outcome.ledgerId]);
      expect(await world.runs()).toEqual([{ ledger_id: outcome.ledgerId, state: 'settled' }]);
      expect(outcome.settled.balance.included_used).toBe(1);
    },
  );

  it.each(sampleUnlessNightly(LOSSES, (loss) => loss === 'answer'))(
    'of a reversal (lost: %s) is read back before a 502 reports it',
    async (loss) => {
      backend.behave(refuse);
      world.line.breakAt(FAIL, loss, 'works');

      const failure = await failureOf(world.call(randomUUID()));

      expect(failure.code).toBe('scoring_failed');
      expect(await world.runs()).toEqual([{ ledger_id: failure.details.ledgerId, state: 'failed' }]);
    },
  );
});

describe('a database that remains unreachable after', () => {
  it.each(sampleUnlessNightly(LOSSES, (loss) => loss === 'request'))(
    'the hold (lost: %s): 503, the backend is not asked',
    async (loss) => {
      const key = randomUUID();
      world.line.breakAt(RESERVE, loss, 'dead');

      const failure = await failureOf(world.call(key));

      expect(failure).toMatchObject({ code: 'unavailable', details: { retryAfterSeconds: 5 } });
      expect(backend.calls).toEqual([]);
      expect((await world.runs()).map(({ state }) => state)).toEqual(loss === 'request' ? [] : ['reserved']);
    },
  );

  it.each(sampleUnlessNightly(LOSSES, (loss) => loss === 'answer'))(
    'the settle (lost: %s): 503 with the receipt id, and a retry with the same key returns the outcome',
    async (loss) => {
      const key = randomUUID();
      world.line.breakAt(SETTLE, loss, 'dead');

      const failure = await failureOf(world.call(key));
      world.line.mend();

      expect(failure).toMatchObject({ code: 'unavailable', details: { ledgerId: backend.calls[0] } });
      if (loss === 'answer') {
        expect(await world.call(key, world.database)).toMatchObject({
          kind: 'replay',
          run: { ledgerId: backend.calls[0] },
        });
      } else {
        expect((await failureOf(world.call(key, world.database))).code).toBe('idempotency_in_progress');
      }
      expect(backend.calls).toHaveLength(1);
    },
  );

  it.each(sampleUnlessNightly(LOSSES, (loss) => loss === 'request'))(
    'the reversal (lost: %s): no 502 without confirmation',
    async (loss) => {
      const key = randomUUID();
      backend.behave(refuse);
      world.line.breakAt(FAIL, loss, 'dead');

      const failure = await failureOf(world.call(key));
      world.line.mend();
      backend.behave(answer);

      expect(failure).toMatchObject({ code: 'unavailable', details: { ledgerId: backend.calls[0] } });
      expect((await world.runs()).map(({ state }) => state)).toEqual([
        loss === 'request' ? 'reserved' : 'failed',
      ]);
    },
  );
});

describe('sessions that PostgreSQL terminates while they wait', () => {
  it('for the bucket: the hold and the settle are retried', async () => {
    const key = randomUUID();
    await world.call(randomUUID());
    const blocker = await world.database.sequelize.transaction();
    await world.database.sequelize.query('SELECT 1 FROM credit_bucket WHERE account_id = $1 FOR UPDATE', {
      transaction: blocker,
      bind: [world.accountId],
    });
    const waiting = world.call(key);
    await untilBlocked(world.database, waiting);
    const ended = await world.database.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
    );
    await blocker.rollback();

    expect(ended).toHaveLength(1);
    expect(await waiting).toMatchObject({ kind: 'settled' });
    expect((await world.runs()).map(({ state }) => state)).toEqual(['settled', 'settled']);
  });

  it('for the bucket, while their statement continues: its later hold is found, not made twice', async () => {
    await world.call(randomUUID());
    const blocker = await world.database.sequelize.transaction();
    await world.database.sequelize.query('SELECT 1 FROM credit_bucket WHERE account_id = $1 FOR UPDATE', {
      transaction: blocker,
      bind: [world.accountId],
    });
    world.line.breakAt(RESERVE, 'line', 'works');
    const waiting = world.call(randomUUID());
    await untilBlocked(world.database, waiting);
    await blocker.rollback();

    const outcome = await waiting;

    if (outcome.kind !== 'settled') throw new Error(outcome.kind);
    expect((await world.runs()).map(({ state }) => state)).toEqual(['settled', 'settled']);
    expect(backend.calls.at(-1)).toBe(outcome.ledgerId);
    expect(backend.calls).toHaveLength(2);
  });
});
