import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { replaceClock, shiftClock } from '../../testing/clock.ts';
import { credentialOf, makeAccount, makeListing } from '../../testing/factories.ts';
import { memoryFolder } from '../../testing/memory-folder.ts';
import { callOperation } from '../../testing/operations/call-operation.ts';
import { operationParts, requestFor } from '../../testing/operations/operation-parts.ts';
import { listOwnReceipts, readOwnReceipt } from '../../testing/receipts/read-own-receipts.ts';
import { answer, type Behaviour, createStandIn, refuse } from '../../testing/stand-ins/stand-in-backend.ts';
import { verifyLedger } from '../billing/ledger/verify.ts';
import { connect, type Database } from '../platform/database/connect.ts';
import { isDatabaseUnavailable } from '../platform/database/database-errors.ts';
import { migrateUp } from '../platform/database/migrate.ts';
import {
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from '../platform/embedded-postgres/embedded-postgres.ts';

let folder: string;
let postgres: EmbeddedPostgres;
let database: Database;
let operator: pg.Client;

beforeAll(async () => {
  folder = await mkdtemp(join(memoryFolder(), 'trust-directory-standby-'));
  // As root, the embedded database runs as another user, who must be able to traverse the folder.
  await chmod(folder, 0o711);
  postgres = await openEmbeddedPostgres(folder);
  database = connect(postgres.url);
  await migrateUp(postgres.url);
  operator = new pg.Client({ connectionString: postgres.url, application_name: 'operator' });
  await operator.connect();
  await operator.query('SET synchronous_commit = local');
}, 120_000);
afterAll(async () => {
  await operator?.end();
  await database?.close();
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
});

const POLL_MS = 10;
const CANCEL_WAITS =
  "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name <> 'operator'";

/**
 * Makes every commit wait for a standby with this name, which does not exist; an empty name ends that. Returns when the
 * setting is in effect.
 */
async function waitForStandby(name: string): Promise<void> {
  await operator.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
  await operator.query('SELECT pg_reload_conf()');
  const waits = name !== '';
  for (let hasWaited = !waits; hasWaited !== waits; ) {
    const probe = new pg.Client({ connectionString: postgres.url, application_name: 'probe' });
    const notices: unknown[] = [];
    probe.on('notice', (notice) => notices.push(notice));
    await probe.connect();
    await cancellingWaits(probe.query("SELECT pg_logical_emit_message(true, 'probe', '')"));
    await probe.end();
    // PostgreSQL warns about a commit whose wait was cancelled.
    hasWaited = notices.length > 0;
  }
}

/** Cancels every wait for the standby until the work ends, as an operator could. */
async function cancellingWaits<Result>(work: Promise<Result>): Promise<Result> {
  let over = false;
  const ended = work.finally(() => {
    over = true;
  });
  ended.catch(() => undefined);
  while (!over) {
    await operator.query(CANCEL_WAITS);
    await sleep(POLL_MS);
  }
  return ended;
}

/** Creates an account and returns a function that makes its calls with one idempotency key. */
async function openCaller(backend: ReturnType<typeof createStandIn>) {
  const [{ key }, { repository }] = [await makeAccount(database), await makeListing(database)];
  const credential = credentialOf(key);
  const timings = { holdMs: 2_200, attemptMs: 5000, budgetMs: 9000, retryAfterCapMs: 100, leaseMs: 30_000 };
  const parts = operationParts(database, { backend, timings });
  const request = requestFor(repository);
  return { credential, call: () => callOperation(parts, credential, request) };
}

it.each<[string, Behaviour, string]>([
  ['a charge', answer, 'replay'],
  ['a reversal', refuse, 'settled'],
])(
  '%s whose wait for the standby was cancelled is not reported as done before a standby has it',
  async (_n, behaviour, later) => {
    const backend = createStandIn(async (request, signal) => {
      await waitForStandby('nobody');
      return behaviour(request, signal);
    });
    const { call } = await openCaller(backend);

    const failure = await cancellingWaits(call()).catch((error) => error);
    // A charge that no standby has received must not be reported as a replay either.
    const repeat = later === 'replay' ? await cancellingWaits(call()).catch((error) => error) : failure;
    await waitForStandby('');
    backend.behave(answer);

    expect(failure).toMatchObject({ code: 'unavailable', details: { ledgerId: backend.calls[0] } });
    expect(repeat).toMatchObject({ code: 'unavailable', details: failure.details });
    expect(await call()).toMatchObject({ kind: later });
    expect((await verifyLedger(database)).bad).toEqual([]);
  },
  60_000,
);

it('receipts show no charge that no standby has, and ask to retry', async () => {
  const backend = createStandIn(async (request, signal) => {
    await waitForStandby('nobody');
    return answer(request, signal);
  });
  const { call, credential } = await openCaller(backend);
  const failure = await cancellingWaits(call()).catch((error) => error);
  const id = failure.details.ledgerId;
  const [stored] = await operator
    .query(`SELECT state FROM usage_run WHERE ledger_id = '${id}'`)
    .then(({ rows }) => rows);

  const one = await cancellingWaits(readOwnReceipt(database, credential, id)).catch((error) => error);
  const list = await cancellingWaits(listOwnReceipts(database, credential, {})).catch((error) => error);
  await waitForStandby('');

  expect(stored).toEqual({ state: 'settled' });
  expect([one, list].map(isDatabaseUnavailable)).toEqual([true, true]);
  expect((await readOwnReceipt(database, credential, id)).run).toMatchObject({ state: 'settled' });
  expect(await listOwnReceipts(database, credential, {})).toMatchObject({ ids: [id] });
}, 60_000);

it('an old receipt is not replayed with a balance that no standby has', async () => {
  await replaceClock(database);
  const { call } = await openCaller(createStandIn(answer));
  await call();
  await shiftClock(database, '1 hour');
  await waitForStandby('nobody');

  const repeat = await cancellingWaits(call()).catch((error) => error);
  await waitForStandby('');

  expect(repeat).toMatchObject({ code: 'unavailable' });
  expect(await call()).toMatchObject({ kind: 'replay' });
}, 60_000);
