import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../server/src/platform/database/connect.ts';
import type { TestAccount } from '../server/testing/factories.ts';
import { mustHold } from './experiment.ts';
import type { CallRecord, History } from './history.ts';
import { callServer } from './metered-client.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

export interface LoadOptions {
  world: World;
  history: History;
  random: Random;
  /** Base URLs of the servers that accept calls now. */
  targets: () => readonly string[];
  callers: number;
  /** Returns true once no further call should start. */
  enough: () => boolean;
  /** Optional signal that aborts a call in the client. */
  signal?: () => AbortSignal | undefined;
}

interface Question {
  account: TestAccount;
  idempotencyKey: string;
  subject: string;
}

const REMEMBERED = 200;
/** Pause after a failure, so that an outage does not fill the history; a real client waits longer. */
const AFTER_FAILURE_MS = 100;

/**
 * Runs clients that make random calls until `enough` returns true: mostly with new idempotency keys, often with a used key
 * and its body, sometimes with a used key and another body, sometimes for an unknown subject.
 */
export async function runLoad(options: LoadOptions): Promise<void> {
  const used: Question[] = [];
  let number = 0;
  const caller = async (random: Random) => {
    while (!options.enough()) {
      const question = nextQuestion(options.world, used, random, () => `${random.seed}-${number++}`);
      const answered = await ask(options, question, random);
      if (answered.outcome === 'info' && !options.signal) await sleep(AFTER_FAILURE_MS);
    }
  };
  await Promise.all(
    Array.from({ length: options.callers }, (_, i) => caller(options.random.fork(`caller ${i}`))),
  );
}

function nextQuestion(world: World, used: Question[], random: Random, newKey: () => string): Question {
  const again = used.length > 0 ? random.pick(used) : undefined;
  const luck = random.next();
  if (again && luck < 0.2) return again;
  if (again && luck < 0.22) return { ...again, subject: random.pick(world.listings).agentId };
  const account = random.pick(world.accounts);
  const subject = luck > 0.98 ? 'nobody/nothing' : random.pick(world.listings).repository;
  const question = { account, idempotencyKey: newKey(), subject };
  used[used.length < REMEMBERED ? used.length : random.below(REMEMBERED)] = question;
  return question;
}

function ask(options: LoadOptions, question: Question, random: Random): Promise<CallRecord> {
  const targets = options.targets();
  const target = targets.length > 0 ? random.pick(targets) : undefined;
  const { account, idempotencyKey, subject } = question;
  return options.history.record({ accountId: account.accountId, idempotencyKey, subject }, () =>
    target === undefined
      ? Promise.reject(new Error('no server is up'))
      : callServer(target, { secret: account.key.secret, idempotencyKey, subject }, options.signal?.()),
  );
}

const PATIENCE_MS = 60_000;
const RESOLVERS = 8;

/**
 * Retries every call with an unknown outcome until the server answers. Resolves with the calls not answered in time.
 */
export async function resolveUnknown(options: Omit<LoadOptions, 'enough' | 'callers'>): Promise<string[]> {
  const { world, history, random } = options;
  const accounts = new Map(world.accounts.map((account) => [account.accountId, account]));
  const told = new Set(history.calls.filter(({ outcome }) => outcome === 'ok').map(nameOf));
  const unknown = history.calls.filter((call) => call.outcome === 'info' && !told.has(nameOf(call)));
  const open = [...new Map(unknown.map((call) => [nameOf(call), call])).values()];
  const left: string[] = [];
  const deadline = Date.now() + PATIENCE_MS;
  const resolver = async () => {
    for (let call = open.pop(); call; call = open.pop()) {
      const account = accounts.get(call.accountId) as TestAccount;
      const question = { account, idempotencyKey: call.idempotencyKey, subject: call.subject };
      let answered = await ask({ ...options, callers: 1, enough: () => true }, question, random);
      while (!ANSWERS.has(answered.status) && Date.now() < deadline) {
        await sleep(AFTER_FAILURE_MS);
        answered = await ask({ ...options, callers: 1, enough: () => true }, question, random);
      }
      if (!ANSWERS.has(answered.status)) left.push(`${nameOf(call)} still gets ${answered.status}`);
    }
  };
  await Promise.all(Array.from({ length: RESOLVERS }, resolver));
  return left;
}

/** Resolves once no run is open; rejects if a run stays open. `watchLedger` measures how long credits were held. */
export async function untilNoneIsOpen(database: Connection): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const [open] = await database.query<{ runs: number }>(
      "SELECT count(*)::int AS runs FROM usage_run WHERE state = 'reserved'",
    );
    if (open?.runs === 0) return;
    mustHold(Date.now() < deadline, `${open?.runs} runs are still open`);
    await sleep(AFTER_FAILURE_MS);
  }
}

/** Statuses that are final. 422: the idempotency key was first used with another body; 404: unknown subject. */
const ANSWERS = new Set([200, 404, 422]);

const nameOf = ({ accountId, idempotencyKey }: CallRecord) => `${accountId}/${idempotencyKey}`;
