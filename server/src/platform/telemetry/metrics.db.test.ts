import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { expectEveryRow } from '../../../testing/every-row.ts';
import {
  credentialOf,
  makeAccount,
  makeListing,
  makeSession,
  type TestAccount,
  type TestListing,
} from '../../../testing/factories.ts';
import {
  answer,
  createStandIn,
  hang,
  refuse,
  type StandInBackend,
} from '../../../testing/stand-ins/stand-in-backend.ts';
import { buildApp } from '../../app.ts';
import { newLedgerId, type ReserveInput, reserve } from '../../billing/ledger/reserve.ts';
import { createServices, type Services } from '../../services.ts';
import { loadConfig } from '../config/load-config.ts';
import { recordJobRun } from '../jobs/background-job.ts';
import { METRICS } from './metric-definitions.ts';

const STRAY = 'stray-1b5d2f';
const LOOK_MS = 20;

let test: TestDatabase;
let services: Services;
let app: FastifyInstance;
let backend: StandInBackend;
let account: TestAccount;
let listing: TestListing;
let token: string;
let text: string;

beforeAll(async () => {
  test = await createTestDatabase();
  backend = createStandIn();
  const config = loadConfig({
    DATABASE_URL: test.url,
    LOG_LEVEL: 'silent',
    METRICS_PORT: '0',
    TIMINGS_SCALE: '0.05',
  });
  services = createServices(config, { databaseUrl: test.url, backend });
  app = await buildApp(services);
  listing = await makeListing(test.database);
  account = await makeAccount(test.database);
  ({ token } = await makeSession(test.database, account.accountId));
  services.startBackground();
  await makeTraffic();
  text = await scrape();
});
afterAll(async () => {
  await app.close();
  await services.close();
  await test.close();
});

/** Sends a metered call and returns its status. */
async function call(changes: object = {}, secret: string = account.key.secret): Promise<number> {
  const payload = {
    operation: 'agent_score',
    subject: listing.repository,
    idempotency_key: randomUUID(),
    ...changes,
  };
  const headers = { authorization: `Bearer ${secret}` };
  const answered = await app.inject({ method: 'POST', url: '/api/svc/operations/run', headers, payload });
  return answered.statusCode;
}

const hold = (changes: Partial<ReserveInput>) =>
  reserve(services.database, {
    credential: credentialOf(account.key),
    accountId: account.accountId,
    callerId: account.key.id,
    namedKeyId: null,
    scope: 'scores:read',
    idempotencyKey: randomUUID(),
    fingerprint: createHash('sha256').update('body').digest(),
    priceCredits: 10,
    ledgerId: newLedgerId(),
    operation: 'agent_score',
    subjectId: listing.subjectId,
    leaseMs: 60_000,
    ...changes,
  });

async function scrape(): Promise<string> {
  return (await services.metrics?.scrape())?.text ?? '';
}

/** Returns the value of a line of a scrape; null if there is none. */
function told(line: string, of = text): number | null {
  const found = of.split('\n').find((each) => each.startsWith(`${line} `));
  return found === undefined ? null : Number(found.slice(line.length + 1));
}

async function makeTraffic(): Promise<void> {
  const idempotency_key = `again-${randomUUID()}`;
  const statuses = [
    await call({ idempotency_key }),
    await call({ idempotency_key }),
    await call({ dry_run: true }),
    await call({ subject: `${STRAY}/nothing` }),
    await call({ operation: STRAY }),
    await call({}, 'svc_live_nobody'),
  ];
  backend.behave(refuse);
  statuses.push(await call());
  backend.behave(hang);
  statuses.push(await call());
  backend.behave(answer);
  expect(statuses).toEqual([200, 200, 200, 404, 400, 401, 502, 502]);
  await expect(hold({ subjectId: STRAY })).rejects.toThrow();
  await hold({ leaseMs: 1 });
  await hold({});
  await test.database.query(
    `INSERT INTO repository_refresh (listing_id, checked_at, outcome) VALUES ($1, ledger_now(), 'unchanged')`,
    [listing.subjectId],
  );
  await recordJobRun(services.database, 'import', async () => undefined);
  await app.inject(`/${STRAY}?secret=${account.key.secret}`);
  await app.inject({ url: '/api/receipts', headers: { cookie: `sid=${token}` } });
  while (!services.answers.cache?.isFresh) await sleep(LOOK_MS);
  await app.inject('/api/agents');
  await app.inject('/api/agents');
  while (told('trust_directory_ledger_reaped_total', await scrape()) === 0) await sleep(LOOK_MS);
}

describe('a scrape after traffic', () => {
  // Metrics of replicas only exist with replicas: server/src/platform/read-replicas.
  const expected = Object.keys(METRICS).filter((name) => !/_(reads_total|replica_\w+)$/.test(name));
  it('tells every metric', async () => {
    const check = (name: string) => {
      expect(text).toMatch(new RegExp(`^${name}(_bucket|_sum|_count)?(\\{[^\\n]*\\})? [0-9.e+-]+$`, 'm'));
    };

    await expectEveryRow(expected, String, check);
  });

  it('reports the outcomes of metered calls', () => {
    const outcomes = (operation: string, outcome: string) =>
      told(`trust_directory_metered_calls_total{operation="${operation}",outcome="${outcome}"}`);

    expect(outcomes('agent_score', 'settled')).toBe(1);
    expect(outcomes('agent_score', 'replayed')).toBe(1);
    expect(outcomes('agent_score', 'quoted')).toBe(1);
    expect(outcomes('agent_score', 'subject_not_found')).toBe(1);
    expect(outcomes('agent_score', 'scoring_failed')).toBe(2);
    expect(outcomes('agent_score', 'unauthorized')).toBe(1);
    expect(outcomes('unknown', 'invalid_operation')).toBe(1);
    expect(told('trust_directory_http_refusals_total{code="scoring_failed"}')).toBe(2);
  });

  it('reports requests by route', () => {
    const count = (method: string, route: string, status: string) =>
      told(
        `trust_directory_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`,
      );

    expect(count('POST', '/api/svc/operations/run', '2xx')).toBe(3);
    expect(count('POST', '/api/svc/operations/run', '5xx')).toBe(2);
    expect(count('GET', 'none', '4xx')).toBe(1);
  });

  it('reports the backend, the ledger and open holds', () => {
    const requests = (outcome: string) =>
      told(`trust_directory_backend_request_duration_seconds_count{outcome="${outcome}"}`);

    expect([requests('answered'), requests('failed'), requests('timeout')]).toEqual([1, 1, 1]);
    expect(told('trust_directory_backend_in_flight')).toBe(0);
    expect(told('trust_directory_backend_unusable_total{reason="upstream"}')).toBe(1);
    expect(told('trust_directory_backend_unusable_total{reason="upstream_timeout"}')).toBe(1);
    expect(told('trust_directory_ledger_statement_failures_total{statement="reserve"}')).toBe(1);
    expect(told('trust_directory_ledger_statement_calls_sum{statement="settle"}')).toBe(1);
    expect(told('trust_directory_ledger_waiting')).toBe(0);
  });

  it('reports hits, misses and size of the cache', () => {
    expect(told('trust_directory_cache_lookups_total{cache="answers",result="hit"}')).toBe(1);
    expect(told('trust_directory_cache_entries{cache="answers"}')).toBe(1);
    expect(told('trust_directory_cache_bytes{cache="answers"}')).toBeGreaterThan(0);
    expect(told('trust_directory_cache_trusted{cache="answers"}')).toBe(1);
  });

  it('holds no secret, no id and no text of a request', () => {
    const texts = [STRAY, account.accountId, account.key.id, account.key.secret, token, listing.subjectId];

    expect(texts.filter((each) => text.includes(each))).toEqual([]);
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  });

  it('does not grow, whatever is requested', async () => {
    const series = (of: string) => of.match(/^trust_directory_(http|metered)_[^ ]+/gm);
    const before = series(await scrape());

    for (const path of ['a', 'b', 'c']) await app.inject(`/${STRAY}-${path}`);
    await call({ operation: `${STRAY}-2` });

    expect(series(await scrape())).toEqual(before);
  });
});

describe('figures of the database', () => {
  it('are those of all processes', () => {
    expect(told('trust_directory_database_read')).toBe(1);
    expect(told('trust_directory_refresh_last_hour{outcome="unchanged"}')).toBe(1);
    expect(told('trust_directory_refresh_checked_timestamp_seconds')).toBeGreaterThan(0);
  });
});

describe('the port of the metrics', () => {
  it('answers GET /metrics and nothing else, and the public one knows nothing of it', async () => {
    const server = await services.metrics?.listen({ host: '127.0.0.1', port: 0 });
    const url = server?.url ?? '';

    const answers = [
      await fetch(url),
      await fetch(url, { method: 'POST' }),
      await fetch(new URL('/', url)),
      await fetch(new URL('/api/agents', url)),
    ];
    const open = await app.inject('/metrics');
    await server?.close();

    expect(answers.map(({ status }) => status)).toEqual([200, 405, 404, 404]);
    expect(answers[0]?.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(open.statusCode).toBe(404);
    await expect(fetch(url)).rejects.toThrow();
  });
});
