import type { Database } from '../server/src/platform/database/connect.ts';
import { giveCredits, makeAccount } from '../server/testing/factories.ts';
import { type Experiment, mustHold } from './experiment.ts';
import { startFleet } from './fleet.ts';
import { callServer } from './metered-client.ts';
import { scoreAfter } from './scoring-upstream.ts';
import { makeWorld } from './world.ts';

const CALLS = 200;
const FITTING = 7;
const PRICE = 10;

interface Standing {
  source: string;
  total: number;
  used: number;
  held: number;
}

/** C2: many concurrent calls for the last credits of an account, over two processes. */
export const lastCredits: Experiment = {
  id: 'C2',
  promise: 'of 200 racing calls exactly the 7 that the balance can pay are charged',
  unit: 'rounds',
  amount: { suite: 20, long: 200 },
  async run(arena, rounds) {
    const { database, url } = await arena.database();
    const upstream = await arena.upstream();
    upstream.behave(scoreAfter(() => arena.random.below(30)));
    const fleet = await startFleet(arena, 2, url, upstream.url, {
      TIMINGS_SCALE: '0.2',
      // A busy machine does not answer so many concurrent calls within the default deadline, but here all must be answered.
      METERED_WAIT_MS: '20000',
    });
    const { listings } = await makeWorld(database, { accounts: 0, listings: 1 });
    const subject = listings[0]?.repository ?? '';
    const targets = fleet.targets();
    const counts: Record<string, number> = {};

    for (let round = 0; round < rounds; round++) {
      const free = arena.random.below(FITTING + 1);
      const { secret, accountId } = await accountWith(database, free);
      const answers = await Promise.all(
        Array.from({ length: CALLS }, (_, i) =>
          callServer(targets[i % 2] as string, { secret, subject, idempotencyKey: `last-${i}` }),
        ),
      );
      const tally: Record<string, number> = {};
      for (const { status, body } of answers) {
        const name = `${status} ${body.charge_source ?? body.code}`;
        tally[name] = (tally[name] ?? 0) + 1;
        counts[name] = (counts[name] ?? 0) + 1;
      }
      const expected = {
        '200 free': free,
        '200 gifted': FITTING - free,
        '402 insufficient_credits': CALLS - FITTING,
      };
      for (const [name, times] of Object.entries(expected))
        mustHold(
          (tally[name] ?? 0) === times,
          `round ${round}: expected ${times} × ${name}, got ${JSON.stringify(tally)}`,
        );
      await mustBeUsedUp(database, accountId);
      arena.progress(round + 1);
    }
    return { calls: rounds * CALLS, acknowledged: rounds * FITTING, ...counts };
  },
};

/** Creates an account whose balance pays for exactly seven calls: some free, the others from a grant. */
async function accountWith(database: Database, free: number): Promise<{ secret: string; accountId: string }> {
  const { accountId, key } = await makeAccount(database);
  const granted = (FITTING - free) * PRICE;
  // The grant ends one credit short of one more call.
  await giveCredits(database, accountId, granted + PRICE - 1);
  await database.query(
    `WITH month AS (SELECT date_trunc('month', ledger_now() AT TIME ZONE 'UTC') AS start),
     b AS (INSERT INTO credit_bucket (account_id, source, unit, period_kind, valid_from, valid_to, total)
       SELECT $1, 'free', 'call', 'month', start AT TIME ZONE 'UTC', (start + interval '1 month') AT TIME ZONE 'UTC', $2::bigint
       FROM month RETURNING account_id, id, total)
     INSERT INTO bucket_entry (account_id, bucket_id, kind, d_total) SELECT account_id, id, 'grant', total FROM b`,
    [accountId, free],
  );
  return { secret: key.secret, accountId };
}

async function mustBeUsedUp(database: Database, accountId: string): Promise<void> {
  const buckets = await database.query<Standing>(
    'SELECT source, total, used, held FROM credit_bucket WHERE account_id = $1',
    [accountId],
  );
  for (const { source, total, used, held } of buckets) {
    const left = source === 'free' ? 0 : PRICE - 1;
    mustHold(
      held === 0 && total - used === left,
      `${accountId}: ${source} has ${total - used} left and ${held} held`,
    );
  }
}
