import { setPlan } from '../server/src/billing/balance/change-plan.ts';
import type { Database } from '../server/src/platform/database/connect.ts';
import { replaceClock, setClock } from '../server/testing/clock.ts';
import {
  makeAccount,
  makeKey,
  makeListing,
  PLAN_BOOK,
  type TestAccount,
} from '../server/testing/factories.ts';
import { fewerUnlessNightly } from '../server/testing/nightly.ts';
import { type Experiment, mustHold } from './experiment.ts';
import { startFleet } from './fleet.ts';
import { type Answer, callServer } from './metered-client.ts';
import { type ScoringUpstream, sendScore } from './scoring-upstream.ts';

interface Scene {
  database: Database;
  upstream: ScoringUpstream;
  /** Makes a call over one of the processes. */
  call(secret: string, idempotencyKey: string): Promise<Answer>;
}

/** C8: during the backend call, the month ends, the key is replaced or revoked, or the plan changes. */
export const midRunChanges: Experiment = {
  id: 'C8',
  promise: 'a run ends as it began, whatever happens to month, key and plan meanwhile',
  unit: 'changes of each kind',
  amount: { suite: fewerUnlessNightly(5, 50), long: 1_000 },
  async run(arena, times) {
    const { database, url } = await arena.database();
    await replaceClock(database);
    const upstream = await arena.upstream();
    const fleet = await startFleet(arena, 2, url, upstream.url, { TIMINGS_SCALE: '1' });
    const subject = (await makeListing(database)).repository;
    const scene: Scene = {
      database,
      upstream,
      call: (secret, idempotencyKey) =>
        callServer(arena.random.pick(fleet.targets()), { secret, subject, idempotencyKey }),
    };
    const kinds = { monthEnds, keyReplaced, keyRevoked, planChanged };
    const counts: Record<string, number> = {};
    for (let time = 0; time < times; time++) {
      for (const [name, change] of Object.entries(kinds)) {
        await setClock(database, '2031-05-31T23:59:58Z');
        await change(scene);
        counts[name] = time + 1;
      }
      arena.progress(time + 1);
    }
    await setClock(database, null);
    return counts;
  },
};

/** Starts a call, runs an action during the backend call, then lets the backend answer. */
async function during(
  scene: Scene,
  secret: string,
  key: string,
  change: () => Promise<unknown>,
): Promise<Answer> {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  scene.upstream.behave(async (request, response) => {
    await held;
    sendScore(request, response);
  });
  const asked = scene.upstream.nextCall();
  const answer = scene.call(secret, key);
  await Promise.race([asked, answer]);
  await change().finally(release);
  return answer;
}

function mustSettle({ status, body }: Answer, source: string, what: string): void {
  const told = `${what}: ${status} ${body.code ?? ''} ${body.charge_source} ${body.ledger_id}`;
  mustHold(status === 200 && body.settled === true && body.charge_source === source, told);
}

function mustReplay(answer: Answer, first: Answer, what: string): void {
  const { status, body } = answer;
  const same = status === 200 && body.idempotent === true && body.ledger_id === first.body.ledger_id;
  mustHold(
    same,
    `${what}: ${status} ${body.code ?? ''} ${body.ledger_id} instead of a replay of ${first.body.ledger_id}`,
  );
}

/** Checks that a run reserved in May is paid from the balance of May, even if June begins before it is settled. */
async function monthEnds(scene: Scene): Promise<void> {
  const { key } = await makeAccount(scene.database);
  const first = await during(scene, key.secret, 'k', () => setClock(scene.database, '2031-06-01T00:00:02Z'));
  mustSettle(first, 'free', 'a call over the end of the month');
  const period = (answer: Answer) => answer.body.balance_after?.period_start.slice(0, 7);
  mustHold(period(first) === '2031-05', `reserved in May, charged to ${period(first)}`);
  const second = await scene.call(key.secret, 'k2');
  mustSettle(second, 'free', 'the first call of June');
  const used = second.body.balance_after?.included_used;
  mustHold(period(second) === '2031-06' && used === 1, `June: ${period(second)}, ${used} used`);
  mustReplay(await scene.call(key.secret, 'k'), first, "May's call asked again in June");
}

/** Checks that the new access key replays calls of the replaced one. */
async function keyReplaced(scene: Scene): Promise<void> {
  const { accountId, key } = await makeAccount(scene.database, { plan: 'builder' });
  let secret = '';
  const first = await during(scene, key.secret, 'k', async () => {
    secret = (await makeKey(scene.database, accountId)).secret;
    await revoke(scene.database, key.id);
  });
  mustSettle(first, 'free', 'a call whose key was replaced');
  mustReplay(await scene.call(secret, 'k'), first, 'the new key');
  await mustBeRefused(scene, key.secret, 'k');
}

/** Checks that no run is opened after a confirmed revocation, and that the run in progress completes. */
async function keyRevoked(scene: Scene): Promise<void> {
  const account = await makeAccount(scene.database);
  const first = await during(scene, account.key.secret, 'k', () => revoke(scene.database, account.key.id));
  mustSettle(first, 'free', 'a call whose key was revoked');
  await mustBeRefused(scene, account.key.secret, 'k');
  await mustBeRefused(scene, account.key.secret, 'k2');
  mustHold((await runsOf(scene.database, account)) === 1, 'a revoked key opened a run');
}

/** Checks that a run is paid from the bucket that it reserved, and that the credits of the new plan exist once, unused. */
async function planChanged(scene: Scene): Promise<void> {
  const account = await makeAccount(scene.database);
  const change = () => setPlan(scene.database, PLAN_BOOK, account.accountId, 'builder');
  const first = await during(scene, account.key.secret, 'k', change);
  mustSettle(first, 'free', 'a call whose plan was changed');
  mustReplay(await scene.call(account.key.secret, 'k'), first, 'after the change of plan');
  mustSettle(await scene.call(account.key.secret, 'k2'), 'free', 'the next call');
  const included = await scene.database.query<{ total: number; used: number; held: number }>(
    "SELECT total, used, held FROM credit_bucket WHERE account_id = $1 AND source = 'included'",
    [account.accountId],
  );
  const expected = JSON.stringify([{ total: PLAN_BOOK.plans.builder?.includedCredits, used: 0, held: 0 }]);
  mustHold(JSON.stringify(included) === expected, `included credits are ${JSON.stringify(included)}`);
}

async function revoke(database: Database, keyId: string): Promise<void> {
  await database.query('UPDATE access_key SET revoked_at = ledger_now() WHERE id = $1', [keyId]);
}

async function mustBeRefused(scene: Scene, secret: string, idempotencyKey: string): Promise<void> {
  const { status, body } = await scene.call(secret, idempotencyKey);
  mustHold(
    status === 401 && body.ledger_id === undefined,
    `a revoked key was answered ${status} ${body.code}`,
  );
}

async function runsOf(database: Database, { accountId }: TestAccount): Promise<number> {
  const [row] = await database.query<{ runs: number }>(
    'SELECT count(*)::int AS runs FROM usage_run WHERE account_id = $1',
    [accountId],
  );
  return row?.runs ?? 0;
}
