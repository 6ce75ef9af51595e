import type { Database } from '../server/src/platform/database/connect.ts';
import { giveCredits, makeAccount, makeListing, type TestAccount } from '../server/testing/factories.ts';
import { fewerUnlessNightly } from '../server/testing/nightly.ts';
import { makePlatformAccount } from '../server/testing/subjects/account.factory.ts';
import { type Experiment, mustHold, percentile } from './experiment.ts';
import { FAULTS } from './faulty-upstream.ts';
import { callServer } from './metered-client.ts';
import { scoreAfter } from './scoring-upstream.ts';

const SCALE = 1 / 20;
/** Maximum duration of a call: 45 s, scaled like the server's timings, plus one second. */
const LONGEST_MS = 45_000 * SCALE + 1_000;

/** URL at a port below 1024 without a listener. A free port above 1023 could be assigned to a concurrent test at any time. */
const NOWHERE = 'http://127.0.0.1:1/score';

interface Question {
  operation: string;
  subject: string;
}

/** F6: every way in which the scoring backend can fail, for every metered operation. */
export const upstreamFaults: Experiment = {
  id: 'F6',
  promise:
    'whatever the scoring backend does, the call is a 502 with its receipt, uncharged, and may be tried again',
  unit: 'calls of each fault and operation',
  amount: { suite: fewerUnlessNightly(1, 2), long: 50 },
  async run(arena, times) {
    const { database, url } = await arena.database();
    const upstream = await arena.upstream();
    const env = { TIMINGS_SCALE: String(SCALE) };
    const [sound, refused, noTls] = await Promise.all([
      arena.server(url, upstream.url, env),
      arena.server(url, NOWHERE, env),
      arena.server(url, upstream.url.replace('http:', 'https:'), env),
    ]);
    const account = await makeAccount(database);
    await giveCredits(database, account.accountId, 100_000_000);
    const questions = await sixQuestions(database);
    const latencies: number[] = [];
    const counts = { faults: 0, calls: 0, reversed: 0, thenSettled: 0 };
    const tryFault = async (fault: string, baseUrl: string) => {
      const before = await usedOf(database, account);
      const rounds = Array.from({ length: times }, (_, i) =>
        questions.map((question) => ({
          ...question,
          idempotencyKey: `${fault.replaceAll(' ', '-')}-${question.operation}-${i}`,
        })),
      );
      const keys = rounds.flat();
      const callOnce = async (key: Question & { idempotencyKey: string }) => {
        const begun = performance.now();
        const { status, body } = await callServer(baseUrl, { secret: account.key.secret, ...key });
        latencies.push(performance.now() - begun);
        mustHold(
          status === 502 && body.ledger_id !== undefined,
          `${key.idempotencyKey}: ${status} ${body.code}`,
        );
        await mustBeReversed(database, account, body.ledger_id, key.idempotencyKey);
        counts.reversed += 1;
      };
      // One call of each operation at a time. More would measure how fast the machine parses answers of ten megabytes,
      // because LONGEST_MS scales the server's waits, not its work.
      for (const round of rounds) await Promise.all(round.map(callOnce));
      mustHold((await usedOf(database, account)) === before, `${fault}: something was charged`);
      upstream.behave(scoreAfter(0));
      for (const key of keys) {
        const { status, body } = await callServer(sound.baseUrl, { secret: account.key.secret, ...key });
        mustHold(
          status === 200 && !body.idempotent,
          `${key.idempotencyKey}, tried again: ${status} ${body.code}`,
        );
        counts.thenSettled += 1;
      }
      counts.faults += 1;
      counts.calls += 2 * keys.length;
      arena.progress(counts.faults);
    };

    await tryFault('refused', refused.baseUrl);
    await tryFault('no TLS where TLS is spoken', noTls.baseUrl);
    for (const [fault, reply] of Object.entries(FAULTS)) {
      upstream.behave(reply);
      await tryFault(fault, sound.baseUrl);
    }
    const longestMs = percentile(latencies, 1);
    mustHold(
      longestMs <= arena.limit(LONGEST_MS),
      `a call took ${longestMs} ms, more than ${arena.limit(LONGEST_MS)}`,
    );
    return { ...counts, operations: questions.length, longestMs };
  },
};

/** Returns each metered operation with a suitable subject. */
async function sixQuestions(database: Database): Promise<Question[]> {
  const [agent, skill] = [await makeListing(database), await makeListing(database, { type: 'skill' })];
  const social = await makePlatformAccount(database, { type: 'social_account' });
  const messaging = await makePlatformAccount(database, { type: 'messaging_account' });
  return [
    { operation: 'agent_score', subject: agent.repository },
    { operation: 'skill_score', subject: skill.repository },
    { operation: 'creator_score', subject: agent.creatorId },
    { operation: 'social_account_score', subject: social.id },
    { operation: 'messenger_account_score', subject: messaging.id },
    { operation: 'agent_skill_lineage', subject: agent.repository },
  ];
}

async function usedOf(database: Database, { accountId }: TestAccount): Promise<number> {
  const [row] = await database.query<{ used: number }>(
    'SELECT coalesce(sum(used), 0)::int AS used FROM credit_bucket WHERE account_id = $1',
    [accountId],
  );
  return row?.used ?? -1;
}

async function mustBeReversed(
  database: Database,
  { accountId }: TestAccount,
  ledgerId: string | undefined,
  what: string,
): Promise<void> {
  const [run] = await database.query<{ state: string; ends: string }>(
    `SELECT r.state, (SELECT string_agg(e.kind, ',') FROM ledger_entry e WHERE e.account_id = r.account_id
       AND e.ledger_id = r.ledger_id AND e.kind <> 'hold') AS ends
     FROM usage_run r WHERE r.account_id = $1 AND r.ledger_id = $2`,
    [accountId, ledgerId],
  );
  mustHold(
    run?.state === 'failed' && run.ends === 'reverse',
    `${what}: ${ledgerId} is ${JSON.stringify(run)}`,
  );
}
