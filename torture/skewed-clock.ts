import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openSession } from '../server/src/access/callers/session.ts';
import type { Database } from '../server/src/platform/database/connect.ts';
import { makeKey, type TestListing } from '../server/testing/factories.ts';
import { memoryFolder } from '../server/testing/memory-folder.ts';
import type { ServerProcess } from '../server/testing/server-process.ts';
import type { Arena } from './arena.ts';
import { type Experiment, mustHold } from './experiment.ts';
import { callServer } from './metered-client.ts';
import { scoreAfter } from './scoring-upstream.ts';
import { makeWorld } from './world.ts';

/** Debian's package faketime, preloaded only by the processes under test. */
const LIBRARIES = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1',
];
const library = LIBRARIES.find((path) => existsSync(path));

/** F10: processes whose clock is an hour ahead, an hour behind, or jumps between both. */
export const skewedClock: Experiment = {
  id: 'F10',
  promise: 'leases, expiry and sessions follow the database’s clock, whatever a process takes for the time',
  unit: 'calls of each process',
  amount: { suite: 30, long: 1_000 },
  missing: () => (library ? null : "Debian's package faketime is not installed"),
  async run(arena, calls) {
    const { database, url } = await arena.database();
    const upstream = await arena.upstream();
    const folder = await mkdtemp(join(memoryFolder(), 'trust-directory-clock-'));
    arena.atEnd(() => rm(folder, { recursive: true, force: true }));
    const jumping = join(folder, 'offset');
    await writeFile(jumping, '+0');
    const start = (clock: Record<string, string>) =>
      arena.server(url, upstream.url, {
        LD_PRELOAD: library ?? '',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        DONT_FAKE_MONOTONIC: '1',
        ...clock,
      });
    const [ahead, behind, jumper] = await Promise.all([
      start({ FAKETIME: '+3600s' }),
      start({ FAKETIME: '-3600s' }),
      start({ FAKETIME_TIMESTAMP_FILE: jumping, FAKETIME_NO_CACHE: '1' }),
    ]);
    await mustBeSkewed(ahead, behind);
    const { accounts, listings } = await makeWorld(database, { accounts: 1, listings: 1 });
    const account = accounts[0] as (typeof accounts)[0];
    const listing = listings[0] as TestListing;
    for (let number = 0; number < calls; number++) {
      await writeFile(jumping, number % 2 === 0 ? '+3600s' : '-3600s');
      for (const [name, server] of Object.entries({ ahead, behind, jumper })) {
        const call = {
          secret: account.key.secret,
          subject: listing.repository,
          idempotencyKey: `${name}-${number}`,
        };
        const { status, body } = await callServer(server.baseUrl, call);
        mustHold(status === 200 && body.settled === true, `${name}: ${status} ${body.code}`);
      }
      arena.progress(number + 1);
    }
    await mustHaveDatabaseTimes(database);
    await keysExpireByTheDatabase(arena, database, account.accountId, listing, [ahead, behind]);
    await sessionsLastByTheDatabase(database, account.accountId, listing, [ahead, behind]);
    const heldMs = await holdsLastTheirLease(arena, database, account, listing, {
      ahead,
      behind,
      upstream,
      url,
    });
    return { calls: 3 * calls, heldMs };
  },
};

/** Verifies the skew, because otherwise the experiment proves nothing: the Date header shows a server's clock. */
async function mustBeSkewed(ahead: ServerProcess, behind: ServerProcess): Promise<void> {
  const offset = async ({ baseUrl }: ServerProcess) => {
    const { headers } = await fetch(`${baseUrl}/livez`);
    return (Date.parse(headers.get('date') ?? '') - Date.now()) / 1000;
  };
  const offsets = [await offset(ahead), await offset(behind)] as const;
  mustHold(offsets[0] > 3_500 && offsets[1] < -3_500, `the clocks are not skewed: ${offsets}`);
}

async function mustHaveDatabaseTimes(database: Database): Promise<void> {
  const [row] = await database.query<{ wrong: number }>(
    `SELECT count(*)::int AS wrong FROM usage_run r JOIN score s ON s.ledger_id = r.ledger_id
     WHERE abs(extract(epoch FROM ledger_now() - r.created_at)) > 600 OR abs(extract(epoch FROM ledger_now() - s.version)) > 600
       OR abs(extract(epoch FROM r.lease_until - r.created_at) - 3) > 1`,
  );
  mustHold(row?.wrong === 0, `${row?.wrong} runs bear the time of a process`);
}

async function keysExpireByTheDatabase(
  arena: Arena,
  database: Database,
  accountId: string,
  { repository: subject }: TestListing,
  servers: readonly ServerProcess[],
): Promise<void> {
  await database.query("UPDATE account SET plan = 'pro' WHERE id = $1", [accountId]);
  const key = await makeKey(database, accountId);
  const expectAll = async (shift: string, status: number) => {
    await database.query('UPDATE access_key SET expires_at = ledger_now() + $2::interval WHERE id = $1', [
      key.id,
      shift,
    ]);
    for (const { baseUrl } of servers) {
      const call = { secret: key.secret, subject, idempotencyKey: `expiry-${arena.random.below(2 ** 31)}` };
      const answer = await callServer(baseUrl, call);
      mustHold(
        answer.status === status,
        `a key that expires in ${shift}: ${answer.status} ${answer.body.code}`,
      );
    }
  };
  await expectAll('30 minutes', 200);
  await expectAll('-30 minutes', 401);
}

async function sessionsLastByTheDatabase(
  database: Database,
  accountId: string,
  { repository: subject }: TestListing,
  servers: readonly ServerProcess[],
): Promise<void> {
  const { sessionId, token } = await openSession(database, accountId, 'sign_in');
  const expectAll = async (status: number, what: string) => {
    for (const [place, { baseUrl }] of servers.entries()) {
      const answer = await fetch(`${baseUrl}/api/svc/operations/run`, {
        method: 'POST',
        headers: {
          Cookie: `sid=${token}`,
          'Content-Type': 'application/json',
          'Sec-Fetch-Site': 'same-origin',
        },
        body: JSON.stringify({
          operation: 'agent_score',
          subject,
          idempotency_key: `session-${status}-${place}`,
        }),
      });
      mustHold(answer.status === status, `${what}: ${answer.status}`);
    }
  };
  await expectAll(200, 'a new session');
  await database.query(
    "UPDATE session SET last_seen_at = ledger_now() - interval '31 minutes' WHERE id = $1",
    [sessionId],
  );
  await expectAll(401, 'a session idle for 31 minutes');
}

/** Kills a server that holds credits. Servers with skewed clocks must release the hold when its lease expires, not earlier. */
async function holdsLastTheirLease(
  arena: Arena,
  database: Database,
  account: { key: { secret: string } },
  { repository: subject }: TestListing,
  parts: {
    ahead: ServerProcess;
    behind: ServerProcess;
    upstream: Awaited<ReturnType<Arena['upstream']>>;
    url: string;
  },
): Promise<number> {
  const { upstream } = parts;
  const victim = await arena.server(parts.url, upstream.url);
  upstream.behave(() => undefined);
  const asked = upstream.nextCall();
  const call = callServer(victim.baseUrl, {
    secret: account.key.secret,
    subject,
    idempotencyKey: 'left-behind',
  });
  const lost = call.catch(() => null);
  const runId = await asked;
  await victim.end('SIGKILL');
  await lost;
  upstream.behave(scoreAfter(0));
  for (;;) {
    const [run] = await database.query<{ state: string; held_ms: number }>(
      `SELECT state, (extract(epoch FROM coalesce(ended_at, ledger_now()) - created_at) * 1000)::int AS held_ms
       FROM usage_run WHERE ledger_id = $1`,
      [runId],
    );
    mustHold(
      run !== undefined && run.held_ms < arena.limit(65_000 / 20 + 1_000),
      `the hold is still there: ${JSON.stringify(run)}`,
    );
    if (run.state === 'reserved') continue;
    mustHold(run.held_ms >= 3_000, `a hold of 3000 ms was given back after ${run.held_ms} ms`);
    return run.held_ms;
  }
}
