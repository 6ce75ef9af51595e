import { createHash, randomUUID } from 'node:crypto';
import { fail } from '../server/src/billing/ledger/fail.ts';
import { reapBucket } from '../server/src/billing/ledger/reap.ts';
import { newLedgerId, type Reservation, reserve } from '../server/src/billing/ledger/reserve.ts';
import { settle } from '../server/src/billing/ledger/settle.ts';
import type { Database } from '../server/src/platform/database/connect.ts';
import { violates } from '../server/src/platform/database/database-errors.ts';
import { type AcceptedScore, acceptScore } from '../server/src/scoring/scores/accept-score.ts';
import type { ScoreRequest } from '../server/src/scoring/scoring-backend.ts';
import { credentialOf, type TestAccount, type TestListing } from '../server/testing/factories.ts';
import { fewerUnlessNightly } from '../server/testing/nightly.ts';
import { usableScore } from '../server/testing/stand-ins/stand-in-backend.ts';
import { type Experiment, mustHold } from './experiment.ts';
import { makeWorld } from './world.ts';

const AT_ONCE = 5;
const LONGEST_LEASE_MS = 30;

/** C5: all statements that can end a run (settle, fail, reap) are sent concurrently, at about the time when its lease ends. */
export const terminalRace: Experiment = {
  id: 'C5',
  promise: 'of settle, settle, fail and reap exactly one ends a run, and its answer says so',
  unit: 'runs',
  amount: { suite: fewerUnlessNightly(100, 200), long: 5_000 },
  async run(arena, runs) {
    const { database } = await arena.database();
    const { accounts, listings } = await makeWorld(database, { accounts: 3, listings: 2 });
    const score = scoreOf(listings[0] as TestListing);
    const winners: Record<string, number> = { settled: 0, failed: 0, reaped: 0 };
    const race = async () => {
      const leaseMs = 1 + arena.random.below(LONGEST_LEASE_MS);
      const run = await hold(database, arena.random.pick(accounts), score.subjectId, leaseMs);
      const winner = await winnerOf(database, run, score, () => arena.random.below(LONGEST_LEASE_MS));
      winners[winner] = (winners[winner] ?? 0) + 1;
    };
    for (let done = 0; done < runs; done += AT_ONCE) {
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, runs - done) }, race));
      arena.progress(done + AT_ONCE);
    }
    for (const [name, times] of Object.entries(winners))
      mustHold(times > 0, `nothing was ever ${name}: no race`);
    return { races: runs, ...winners };
  },
};

/** Creates a backend's score, accepted for a listing. */
function scoreOf(listing: TestListing): AcceptedScore {
  const request = {
    operation: 'agent_score',
    runId: null,
    subject: { id: listing.subjectId, type: 'agent', name: 'x', repository: listing.repository },
    facts: {},
    now: new Date(),
  } as unknown as ScoreRequest;
  return acceptScore(usableScore(request), request, 'stand-in');
}

/** Opens a run of an account with the reserve statement. */
export async function hold(
  database: Database,
  account: TestAccount,
  subjectId: string,
  leaseMs: number,
): Promise<Reservation> {
  const run = await reserve(database, {
    credential: credentialOf(account.key),
    namedKeyId: null,
    accountId: account.accountId,
    callerId: account.key.id,
    scope: 'scores:read',
    idempotencyKey: randomUUID(),
    fingerprint: createHash('sha256').update(subjectId).digest(),
    priceCredits: 10,
    ledgerId: newLedgerId(),
    operation: 'agent_score',
    subjectId,
    leaseMs,
  });
  if (!run) throw new Error('nothing was reserved');
  return run;
}

async function winnerOf(
  database: Database,
  run: Reservation,
  score: AcceptedScore,
  wait: () => number,
): Promise<string> {
  const soon = <Result>(work: () => Promise<Result>) =>
    new Promise<Result>((resolve, reject) => {
      setTimeout(() => work().then(resolve, reject), wait());
    });
  const settled = () =>
    settle(database, run, 'agent', score).catch((error) => {
      if (violates(error, 'settled_before_lease')) return null;
      throw error;
    });
  const ends = await Promise.all([
    soon(settled),
    soon(settled),
    soon(() => fail(database, run, 'upstream')),
    soon(() => reapBucket(database, run.accountId, run.bucketId)),
  ]);
  // A reaper may have ended a run of another race in the same bucket, so only the stored run shows which statement won.
  await new Promise((resolve) => setTimeout(resolve, LONGEST_LEASE_MS));
  await reapBucket(database, run.accountId, run.bucketId);
  const [stored] = await database.query<{ state: string; fail_code: string | null; ends: number }>(
    `SELECT r.state, r.fail_code, (SELECT count(*)::int FROM ledger_entry e WHERE e.account_id = r.account_id
       AND e.ledger_id = r.ledger_id AND e.kind IN ('settle', 'reverse', 'expire')) AS ends
     FROM usage_run r WHERE r.account_id = $1 AND r.ledger_id = $2`,
    [run.accountId, run.ledgerId],
  );
  const told = ends.slice(0, 3).filter(Boolean).length;
  const reaped = stored?.fail_code === 'lease_expired';
  const seen = `${run.ledgerId}: ${JSON.stringify(stored)}, told ${JSON.stringify(ends)}`;
  mustHold(stored?.ends === 1 && told === (reaped ? 0 : 1), seen);
  mustHold((stored.state === 'settled') === Boolean(ends[0] ?? ends[1]), seen);
  return reaped ? 'reaped' : stored.state;
}
