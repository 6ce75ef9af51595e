import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import {
  giveCredits,
  makeAccount,
  makeListing,
  type TestAccount,
  type TestListing,
} from '../../testing/factories.ts';
import { sampleUnlessNightly } from '../../testing/nightly.ts';
import { answer, createStandIn, hang, usableScore } from '../../testing/stand-ins/stand-in-backend.ts';
import { buildApp } from '../app.ts';
import { loadConfig } from '../platform/config/load-config.ts';
import { createServices, type Services } from '../services.ts';

let test: TestDatabase;
let services: Services;
let app: FastifyInstance;
let listing: TestListing;
let log = '';
const backend = createStandIn();

beforeAll(async () => {
  test = await createTestDatabase();
  listing = await makeListing(test.database);
  const config = loadConfig({ DATABASE_URL: test.url, LOG_LEVEL: 'trace', TIMINGS_SCALE: '0.05' });
  const logTo = {
    write(line: string) {
      log += line;
    },
  };
  services = createServices(config, { databaseUrl: test.url, backend, logTo });
  app = await buildApp(services);
});
beforeEach(() => {
  log = '';
  backend.behave(answer);
});
afterAll(async () => {
  await app.close();
  await services.close();
  await test.close();
});

async function call(account: TestAccount, changes: object = {}) {
  const response = await app.inject({
    method: 'POST',
    url: '/api/svc/operations/run',
    headers: { authorization: `Bearer ${account.key.secret}` },
    payload: {
      operation: 'agent_score',
      subject: listing.repository,
      idempotency_key: randomUUID(),
      ...changes,
    },
  });
  return { status: response.statusCode, headers: response.headers, body: response.json() };
}

/** Simulates a broken deployment: a missing table. */
async function withoutTable<Result>(table: string, work: () => Promise<Result>): Promise<Result> {
  await test.database.query(`ALTER TABLE ${table} RENAME TO ${table}_elsewhere`);
  try {
    return await work();
  } finally {
    await test.database.query(`ALTER TABLE ${table}_elsewhere RENAME TO ${table}`);
  }
}

describe('a statement that always fails', () => {
  it('in the hold is an internal error with its SQLSTATE in the log, not a request to retry', async () => {
    const account = await makeAccount(test.database);
    await call(account);

    const { status, body } = await withoutTable('open_run', () => call(account));

    expect({ status, code: body.code }).toEqual({ status: 500, code: 'internal_error' });
    expect(log).toContain('42P01');
    expect(JSON.stringify(body)).not.toContain('open_run');
  });

  it('in the settle is logged with its receipt, and the caller is asked to retry with the same key', async () => {
    const account = await makeAccount(test.database);
    backend.behave(async (request) => {
      await test.database.query('ALTER TABLE score_version RENAME TO score_elsewhere');
      return usableScore(request);
    });

    const { status, headers, body } = await call(account);
    await test.database.query('ALTER TABLE score_elsewhere RENAME TO score_version');

    expect({ status, code: body.code }).toEqual({ status: 503, code: 'unavailable' });
    expect(headers['retry-after']).toBeDefined();
    expect(log).toMatch(new RegExp(`"ledgerId":"${body.ledger_id}","failure":"[^"]*","sqlState":"42P01"`));
  });
});

describe('a receipt in the log', () => {
  it.each(
    sampleUnlessNightly(
      [
        ['of a failed call', 502],
        ['of a call in progress', 409],
      ],
      ([, status]) => status === 409,
    ),
  )('includes the id %s', async (_what, status) => {
    const account = await makeAccount(test.database);
    backend.behave(hang);
    const key = randomUUID();
    const asked = backend.calls.length;
    const first = call(account, { idempotency_key: key });
    await expect.poll(() => backend.calls.length).toBe(asked + 1);

    const answered = status === 409 ? await call(account, { idempotency_key: key }) : await first;

    expect(answered.status).toBe(status);
    expect(log).toMatch(new RegExp(`"status":${status}[^\\n]*"ledgerId":"${answered.body.ledger_id}"`));
    await first;
  });
});

describe('the order of checks', () => {
  it('reports 402 before 404, even if released dead holds still do not cover the price', async () => {
    const account = await makeAccount(test.database);
    for (let i = 0; i < 25; i++) await call(account);
    await giveCredits(test.database, account.accountId, 5);
    backend.behave(hang);
    await test.database.query(
      `WITH b AS (UPDATE credit_bucket SET held = 5 WHERE account_id = $1 AND source = 'gifted' RETURNING id)
       INSERT INTO open_run (account_id, ledger_id, key_id, bucket_id, idempotency_key, fingerprint, attempt,
         operation, subject_id, source, price_credits, amount, lease_until)
         SELECT $1, gen_random_uuid(), $2, b.id, 'dead', decode(repeat('00', 32), 'hex'), 1, 'agent_score', $3, 'gifted', 5, 5,
           ledger_now() FROM b`,
      [account.accountId, account.key.id, listing.subjectId],
    );

    expect(await call(account, { subject: 'nobody/nothing' })).toMatchObject({ status: 402 });
  });

  it('accepts the caller’s own key id in any letter case', async () => {
    const account = await makeAccount(test.database);

    expect(await call(account, { api_key_id: account.key.id.toUpperCase() })).toMatchObject({ status: 200 });
  });
});
