import { deepStrictEqual } from 'node:assert';
import fc from 'fast-check';
import { reapDue } from '../server/src/billing/ledger/reap.ts';
import type { Database } from '../server/src/platform/database/connect.ts';
import { setClock } from '../server/testing/clock.ts';
import { giveCredits, makeKey, type TestAccount, type TestListing } from '../server/testing/factories.ts';
import { operationParts } from '../server/testing/operations/operation-parts.ts';
import {
  type Behaviour,
  createStandIn,
  hang,
  refuse,
  usableScore,
} from '../server/testing/stand-ins/stand-in-backend.ts';
import { callInProcess, planBookWith, wordOf } from './call-in-process.ts';
import type { LedgerModel } from './ledger-model.ts';
import { mortal } from './mortal-database.ts';

/** One account of the real ledger, for comparison with its model. */
export interface Real {
  readonly database: Database;
  readonly account: TestAccount;
  readonly listings: readonly [TestListing, TestListing];
  secret: string;
  /** Counts of executed commands and of call outcomes. */
  readonly counts: Record<string, number>;
}

type Command = fc.AsyncCommand<LedgerModel, Real>;

/** Ways in which a call can continue after it has reserved its amount; a repeated one is more likely. */
const FATES = [
  'answer',
  'answer',
  'refuse',
  'hang',
  'answer in 30 s',
  'answer in 61 s',
  'crash',
  'crash unheard',
] as const;
type Fate = (typeof FATES)[number];

/** Timeout that never fires: nothing blocks these calls, but a machine may stall for seconds. */
export const PATIENT_MS = 60_000;

const SUBJECTS = {
  first: { operation: 'agent_score', price: 10 },
  second: { operation: 'skill_score', price: 8 },
};
type Body = keyof typeof SUBJECTS;

/** Creates a command that does its work, then compares everything stored for the account with the model. */
function command(name: string, work: (model: LedgerModel, real: Real) => Promise<void>): Command {
  return {
    check: () => true,
    toString: () => name,
    async run(model, real) {
      await work(model, real);
      real.counts.commands = (real.counts.commands ?? 0) + 1;
      deepStrictEqual(await storedState(real), stateOf(model));
    },
  };
}

function stateOf(model: LedgerModel): unknown {
  const buckets = model.buckets.map(
    ({ source, from, total, used, held }) => `${source} ${from} ${total} ${used} ${held}`,
  );
  const runs = [...model.runs].flatMap(([key, attempts]) =>
    attempts.map(({ attempt, state, amount }) => `${key} ${attempt} ${state} ${amount}`),
  );
  return { buckets: buckets.sort(), runs: runs.sort() };
}

async function storedState({ database, account }: Real): Promise<unknown> {
  const rows = await database.query<{ kind: 'buckets' | 'runs'; line: string }>(
    `SELECT 'buckets' AS kind, concat_ws(' ', source, (extract(epoch FROM valid_from) * 1000)::bigint, total, used, held) AS line
       FROM credit_bucket WHERE account_id = $1
     UNION ALL SELECT 'runs', concat_ws(' ', idempotency_key, attempt, state, amount) FROM usage_run WHERE account_id = $1`,
    [account.accountId],
  );
  const lines = (of: string) => rows.flatMap(({ kind, line }) => (kind === of ? [line] : [])).sort();
  return { buckets: lines('buckets'), runs: lines('runs') };
}

async function moveClock(model: LedgerModel, real: Real, to: number): Promise<void> {
  model.now = to;
  await setClock(real.database, new Date(to).toISOString());
}

function callCommand(key: string, body: Body, fate: Fate): Command {
  return command(`call(${key}, ${body}, ${fate})`, async (model, real) => {
    const { operation, price } = SUBJECTS[body];
    const subject = real.listings[body === 'first' ? 0 : 1].repository;
    const process = mortal(real.database);
    let opened: ReturnType<LedgerModel['open']> = model.open(key, body, price);
    const parts = operationParts(process.database, {
      planBook: planBookWith(model.freeCalls),
      backend: createStandIn(behaviourOf(fate, model, real, process)),
      timings: {
        holdMs: PATIENT_MS,
        attemptMs: fate === 'hang' ? 10 : PATIENT_MS,
        budgetMs: PATIENT_MS,
        retryAfterCapMs: 10,
        leaseMs: 60_000,
      },
    });
    const call = wordOf(
      callInProcess(parts, { secret: real.secret, idempotencyKey: key, operation, subject }),
    );
    const word = await Promise.race([call, process.death.then(() => 'crash')]);
    if (typeof opened !== 'string') opened = endOf(model, opened, fate);
    deepStrictEqual(word, opened);
    real.counts[`call: ${word}`] = (real.counts[`call: ${word}`] ?? 0) + 1;
  });
}

function endOf(
  model: LedgerModel,
  run: Exclude<ReturnType<LedgerModel['open']>, string>,
  fate: Fate,
): string {
  if (fate === 'crash') return 'crash';
  const word = model.end(run, fate !== 'refuse' && fate !== 'hang');
  return fate === 'crash unheard' ? 'crash' : word;
}

function behaviourOf(
  fate: Fate,
  model: LedgerModel,
  real: Real,
  process: ReturnType<typeof mortal>,
): Behaviour {
  if (fate === 'refuse') return refuse;
  if (fate === 'hang') return hang;
  return async (request) => {
    if (fate === 'answer in 30 s') await moveClock(model, real, model.now + 30_000);
    if (fate === 'answer in 61 s') await moveClock(model, real, model.now + 61_000);
    if (fate === 'crash') process.die();
    if (fate === 'crash unheard') process.dieUnheard();
    return usableScore(request);
  };
}

const grantCommand = (credits: number, source: 'gifted' | 'purchased') =>
  command(`grant(${credits}, ${source})`, async (model, real) => {
    const { expiresAt } = await giveCredits(real.database, real.account.accountId, credits, source);
    model.buckets.push({
      source,
      from: model.now,
      to: Date.parse(expiresAt),
      total: credits,
      used: 0,
      held: 0,
    });
  });

const waitCommand = (seconds: number) =>
  command(`wait(${seconds} s)`, (model, real) => moveClock(model, real, model.now + seconds * 1000));

const BEFORE_MONTH_END_MS = 20_000;

const rollCommand = () =>
  command('to just before the month ends()', (model, real) => {
    // The clock never goes back: if this month's end is too close, go to just before the end of the next month.
    const day = new Date(model.now + BEFORE_MONTH_END_MS + 1);
    const end = Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 1);
    return moveClock(model, real, end - BEFORE_MONTH_END_MS);
  });

const reapCommand = () =>
  command('reap()', async (model, real) => {
    await reapDue(real.database);
    model.reap();
  });

const endKeyCommand = (how: 'revoked' | 'expired') =>
  command(`${how}()`, async (model, real) => {
    const column = how === 'revoked' ? 'revoked_at' : 'expires_at';
    await real.database.query(
      `UPDATE access_key SET ${column} = ledger_now() WHERE account_id = $1 AND revoked_at IS NULL
         AND (expires_at IS NULL OR expires_at > ledger_now())`,
      [real.account.accountId],
    );
    if (model.key === 'active') model.key = how;
  });

const newKeyCommand = () =>
  command('new key()', async (model, real) => {
    if (model.key === 'active') return;
    real.secret = (await makeKey(real.database, real.account.accountId)).secret;
    model.key = 'active';
  });

/** Generates sequences of events of an account, mostly calls with a few keys. */
export function anyCommands(maxCommands: number): fc.Arbitrary<Iterable<Command>> {
  const key = fc.constantFrom('k1', 'k2', 'k3', 'k4', 'k5', 'k6');
  const body = fc.constantFrom<Body>('first', 'first', 'first', 'second');
  const call = fc.tuple(key, body, fc.constantFrom(...FATES)).map((parts) => callCommand(...parts));
  const others = [
    fc
      .tuple(fc.integer({ min: 1, max: 25 }), fc.constantFrom('gifted', 'purchased'))
      .map((parts) => grantCommand(...parts)),
    fc.integer({ min: 1, max: 90 }).map(waitCommand),
    fc.constant(null).map(rollCommand),
    fc.constant(null).map(reapCommand),
    fc.constantFrom('revoked', 'expired').map(endKeyCommand),
    fc.constant(null).map(newKeyCommand),
    fc.constant(null).map(newKeyCommand),
  ];
  return fc.commands([call, call, call, call, call, call, call, ...others] as fc.Arbitrary<Command>[], {
    maxCommands,
    size: 'max',
  });
}
