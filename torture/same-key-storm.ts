import { type Experiment, mustHold } from './experiment.ts';
import { startFleet } from './fleet.ts';
import type { Answer } from './metered-client.ts';
import { callServer } from './metered-client.ts';
import { scoreAfter } from './scoring-upstream.ts';
import { watchLedger } from './watch-ledger.ts';
import { makeWorld } from './world.ts';

const CALLS_PER_KEY = 100;

/** C1: a hundred concurrent calls with one idempotency key, over two processes, repeatedly. */
export const sameKeyStorm: Experiment = {
  id: 'C1',
  promise: 'one idempotency key in a storm over two processes is asked once and charged once',
  unit: 'keys',
  amount: { suite: 60, long: 200 },
  async run(arena, keys) {
    const { database, url } = await arena.database();
    const upstream = await arena.upstream();
    upstream.behave(scoreAfter(40));
    const fleet = await startFleet(arena, 2, url, upstream.url, {
      TIMINGS_SCALE: '0.2',
      // A busy machine does not answer so many concurrent calls within the default deadline, but here all must be answered.
      METERED_WAIT_MS: '20000',
    });
    const world = await makeWorld(database, { accounts: 1, listings: 1 });
    const secret = world.accounts[0]?.key.secret ?? '';
    const subject = world.listings[0]?.repository ?? '';
    const targets = fleet.targets();
    const watch = watchLedger(database);
    const seen = { replays: 0, inProgress: 0 };

    for (let key = 0; key < keys; key++) {
      const call = { secret, subject, idempotencyKey: `storm-${key}` };
      const answers = await Promise.all(
        Array.from({ length: CALLS_PER_KEY }, (_, i) => callServer(targets[i % 2] as string, call)),
      );
      const ledgerId = onlyFirst(answers, call.idempotencyKey);
      for (const answer of answers) judgeOther(answer, ledgerId, seen);
      mustHold(
        upstream.calls.get(ledgerId) === 1,
        `the upstream was asked ${upstream.calls.get(ledgerId)} times for ${ledgerId}`,
      );
      arena.progress(key + 1);
    }

    const { checks, faults } = await watch.stop();
    mustHold(faults.length === 0, faults.join('\n'));
    mustHold(
      upstream.calls.size === keys,
      `${keys} keys, but ${upstream.calls.size} runs asked the upstream`,
    );
    return { calls: keys * CALLS_PER_KEY, acknowledged: keys, doubled: 0, ledgerChecks: checks, ...seen };
  },
};

function onlyFirst(answers: readonly Answer[], key: string): string {
  const first = answers.filter(({ status, body }) => status === 200 && !body.idempotent);
  mustHold(first.length === 1, `${key} has ${first.length} first receipts`);
  return first[0]?.body.ledger_id ?? '';
}

function judgeOther(
  { status, body }: Answer,
  ledgerId: string,
  seen: { replays: number; inProgress: number },
): void {
  if (status === 409) {
    mustHold(body.code === 'idempotency_in_progress', `a 409 says ${body.code}`);
    seen.inProgress += 1;
    return;
  }
  mustHold(
    status === 200 && body.ledger_id === ledgerId,
    `an answer was ${status} ${body.code} ${body.ledger_id}`,
  );
  if (body.idempotent) seen.replays += 1;
}
