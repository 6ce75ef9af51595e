import { findFreePorts } from '../../ops/free-ports.ts';
import type { Database } from '../../server/src/platform/database/connect.ts';
import {
  giveCredits,
  makeAccount,
  makeListing,
  makeSession,
  PLAN_BOOK,
} from '../../server/testing/factories.ts';
import type { Arena } from '../arena.ts';
import { type Experiment, mustHold } from '../experiment.ts';
import { callServer } from '../metered-client.ts';
import { scoreAfter } from '../scoring-upstream.ts';
import { missingBalancer, openBalancer } from './balancer.ts';

const PROCESSES = 3;
const CALLS = 60;
const GRANTED = 7;
const READS_A_MINUTE = 20;

interface Scene {
  readonly database: Database;
  /** URL of the balancer. */
  readonly url: string;
  /** URLs of the single processes, which bypass the balancer. */
  readonly processes: readonly string[];
  readonly subject: string;
}

/** C11: three processes behind a balancer give the same guarantees as one process. */
export const balanced: Experiment = {
  id: 'C11',
  promise: 'three processes behind HAProxy charge, refuse, count and forget as one',
  unit: 'rounds',
  amount: { suite: 2, long: 50 },
  missing: missingBalancer,
  async run(arena, rounds) {
    const scene = await openScene(arena);
    const parts = { sameKey, lastCredits, revocation, rateLimit, session };
    const figures: Record<string, number> = {};
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, part] of Object.entries(parts)) {
        figures[name] = (figures[name] ?? 0) + (await part(scene));
      }
      arena.progress(round + 1);
    }
    return { processes: PROCESSES, ...figures, lost: 0, doubled: 0 };
  },
};

async function openScene(arena: Arena): Promise<Scene> {
  const { database, url } = await arena.database();
  const upstream = await arena.upstream();
  upstream.behave(scoreAfter(() => arena.random.below(40)));
  const balancer = await openBalancer(arena);
  const env = {
    // The public URL of every server is the balancer's URL.
    PUBLIC_URL: balancer.url,
    TRUST_PROXY: '127.0.0.1/32',
    REDIS_URL: balancer.redisUrl,
    RATE_LIMIT_READ_PER_MINUTE: String(READS_A_MINUTE),
    TIMINGS_SCALE: '0.2',
    // A busy machine does not answer so many concurrent calls within the default deadline, but here all must be answered.
    METERED_WAIT_MS: '20000',
  };
  const ports = await findFreePorts(PROCESSES);
  await Promise.all(ports.map((port) => arena.server(url, upstream.url, { ...env, PORT: String(port) })));
  const processes = ports.map((port) => `http://127.0.0.1:${port}`);
  await balancer.leadTo(processes);
  const { repository: subject } = await makeListing(database);
  return { database, url: balancer.url, processes, subject };
}

const times = <Result>(count: number, work: (i: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)));

/**
 * Sends concurrent calls with one idempotency key: expects one first receipt, and for every other call a replay of the
 * same run or the refusal that it is still in progress. Returns the number of calls.
 */
async function sameKey({ database, url, subject }: Scene): Promise<number> {
  const { key } = await makeAccount(database);
  const call = { secret: key.secret, subject, idempotencyKey: 'same' };
  const answers = await times(CALLS, () => callServer(url, call));
  const receipts = answers.filter(({ status }) => status === 200);
  const others = answers.filter(
    ({ status, body }) => status !== 200 && body.code !== 'idempotency_in_progress',
  );
  const first = receipts.filter(({ body }) => !body.idempotent);
  mustHold(first.length === 1, `one key has ${first.length} first receipts`);
  mustHold(new Set(receipts.map(({ body }) => body.ledger_id)).size === 1, 'one key has two runs');
  mustHold(
    others.length === 0,
    `a call of one key was answered ${others[0]?.status} ${others[0]?.body.code}`,
  );
  return CALLS;
}

/**
 * Sends more concurrent calls than the balance can pay: expects that exactly the payable number is charged and the others are
 * refused. Returns the number of calls.
 */
async function lastCredits({ database, url, subject }: Scene): Promise<number> {
  const { accountId, key } = await makeAccount(database);
  await giveCredits(database, accountId, GRANTED * PLAN_BOOK.prices.agent_score);
  const fitting = GRANTED + (PLAN_BOOK.plans.free?.freeCalls ?? 0);
  const answers = await times(CALLS, (i) =>
    callServer(url, { secret: key.secret, subject, idempotencyKey: `last-${i}` }),
  );
  const charged = answers.filter(({ status }) => status === 200).length;
  const refused = answers.filter(({ status }) => status === 402).length;
  mustHold(
    charged === fitting && refused === CALLS - fitting,
    `${charged} were charged and ${refused} refused, of ${CALLS} for ${fitting}`,
  );
  return CALLS;
}

/**
 * Revokes keys through the balancer and expects that every process refuses them afterwards. Returns the number of
 * revocations.
 */
async function revocation({ database, url, processes, subject }: Scene): Promise<number> {
  const { accountId, key } = await makeAccount(database);
  const { cookie } = await makeSession(database, accountId);
  const callAll = (name: string) =>
    Promise.all(
      processes.map((each, i) =>
        callServer(each, { secret: key.secret, subject, idempotencyKey: `${name}-${i}` }),
      ),
    );
  const before = await callAll('before');
  mustHold(
    before.every(({ status }) => status === 200),
    `before the revocation: ${before.map(({ status }) => status).join(', ')}`,
  );
  const headers = { cookie, 'sec-fetch-site': 'same-origin' };
  const revoked = await fetch(`${url}/api/console/keys/${key.id}`, { method: 'DELETE', headers });
  mustHold(revoked.ok, `the revocation was answered ${revoked.status}: ${await revoked.text()}`);
  const after = await callAll('after');
  mustHold(
    after.every(({ status }) => status === 401),
    `right after the revocation: ${after.map(({ status }) => status).join(', ')}`,
  );
  return 1;
}

/**
 * Sends twice as many reads as the rate limit allows per minute, spread over all processes: expects that the processes
 * together accept exactly as many as the limit. Returns the number of reads.
 */
async function rateLimit({ database, url }: Scene): Promise<number> {
  const { key } = await makeAccount(database);
  const headers = { authorization: `Bearer ${key.secret}` };
  const reads = 2 * READS_A_MINUTE;
  const statuses = await times(reads, async () => (await fetch(`${url}/api/receipts`, { headers })).status);
  const passed = statuses.filter((status) => status === 200).length;
  const refused = statuses.filter((status) => status === 429).length;
  mustHold(
    passed === READS_A_MINUTE && refused === reads - READS_A_MINUTE,
    `of ${reads} reads ${passed} passed and ${refused} were refused, with ${READS_A_MINUTE} a minute`,
  );
  return reads;
}

/** Signs out through the balancer: every process must accept the session before and refuse it afterwards. Returns 1. */
async function session({ database, url, processes }: Scene): Promise<number> {
  const { accountId } = await makeAccount(database);
  const { cookie } = await makeSession(database, accountId);
  const read = () =>
    Promise.all(
      processes.map(
        async (each) => (await fetch(`${each}/api/console/balance`, { headers: { cookie } })).status,
      ),
    );
  const before = await read();
  mustHold(
    before.every((status) => status === 200),
    `signed in, processes answer ${before.join(', ')}`,
  );
  const page = await (await fetch(`${url}/sign-out`, { headers: { cookie } })).text();
  const form = new URLSearchParams(
    [...page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );
  const headers = { cookie, 'sec-fetch-site': 'same-origin' };
  const options = { method: 'POST', headers, body: form, redirect: 'manual' } as const;
  const signedOut = await fetch(`${url}/sign-out`, options);
  mustHold(signedOut.status === 303, `signing out was answered ${signedOut.status}`);
  const after = await read();
  mustHold(
    after.every((status) => status === 401),
    `signed out, processes answer ${after.join(', ')}`,
  );
  return 1;
}
