import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect as dial } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import {
  makeAccount,
  makeListing,
  makeSession,
  type TestAccount,
  type TestListing,
} from '../../../testing/factories.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import {
  createStandIn,
  type StandInBackend,
  usableScore,
} from '../../../testing/stand-ins/stand-in-backend.ts';
import { buildApp } from '../../app.ts';
import { createServices, type Services } from '../../services.ts';
import { loadConfig } from '../config/load-config.ts';
import { connect, type Database } from '../database/connect.ts';
import { hashSecret, newSecret } from './credentials/secret.ts';

let test: TestDatabase;
let operator: Database;
let services: Services;
let app: FastifyInstance;
let baseUrl: string;
let backend: StandInBackend;
let account: TestAccount;
let listing: TestListing;
let log = '';

beforeAll(async () => {
  test = await createTestDatabase();
  account = await makeAccount(test.database);
  listing = await makeListing(test.database);
  const maintenance = new URL(test.url);
  maintenance.pathname = '/postgres';
  operator = connect(maintenance.href, { poolSize: 1 });
  backend = createStandIn();
  const config = loadConfig({
    DATABASE_URL: test.url,
    LOG_LEVEL: 'trace',
    RATE_LIMIT_PUBLIC_PER_MINUTE: '0',
  });
  services = createServices(config, {
    databaseUrl: test.url,
    backend,
    logTo: {
      write(line) {
        log += line;
      },
    },
  });
  app = await buildApp(services);
  await app.listen({ host: '127.0.0.1', port: 0 });
  baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await app.close();
  await services.close();
  await operator.close();
  await test.close();
});

async function run(secret: string, changes: object = {}, query = '') {
  const response = await fetch(`${baseUrl}/api/svc/operations/run${query}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      operation: 'agent_score',
      subject: listing.repository,
      idempotency_key: randomUUID(),
      ...changes,
    }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Text that a raw message of the database or a program would contain. */
const INSIDES =
  /select|insert|update |relation|column|sequelize|postgres|\.ts|\.js|at .*\(|constraint|stack/i;

describe('the log at its most verbose level', () => {
  it('holds no secret, whatever the request, and names the key by its record', async () => {
    const revoked = await makeAccount(test.database);
    await test.database.query('UPDATE access_key SET revoked_at = ledger_now() WHERE id = $1', [
      revoked.key.id,
    ]);
    const foreign = newSecret();
    const mistyped = `${newSecret().slice(0, -1)}!`;
    const { token } = await makeSession(test.database, account.accountId);
    const secrets = [account.key.secret, revoked.key.secret, foreign, mistyped, token];

    const answers = [
      await run(account.key.secret),
      await run(revoked.key.secret),
      await run(foreign),
      await run(mistyped),
      await run(account.key.secret, { extra: account.key.secret }),
      await run(account.key.secret, { idempotency_key: account.key.secret }),
      await run(account.key.secret, {}, `?key=${account.key.secret}`),
    ];
    for (const secret of secrets) {
      await fetch(`${baseUrl}/api/agents?q=${secret}`);
      await fetch(`${baseUrl}/${secret}/${secret}`);
      await fetch(`${baseUrl}/api/agents/${secret}`);
    }
    for (const cookie of [`sid=${token}`, `sid=${token}x`]) {
      await fetch(`${baseUrl}/api/receipts`, { headers: { cookie } });
      await fetch(`${baseUrl}/api/svc/operations/run`, { method: 'POST', headers: { cookie } });
    }
    const socket = dial(Number(new URL(baseUrl).port), '127.0.0.1');
    socket.end(`GET / HTTP/1.1\r\nAuthorization: Bearer ${account.key.secret}\r\nbroken\r\n\r\n`);
    socket.resume();
    await once(socket, 'close');

    expect(answers.map(({ status }) => status)).toEqual([200, 401, 401, 401, 400, 400, 400]);
    expect(log).toContain(account.key.id);
    for (const secret of secrets) {
      expect(log).not.toContain(secret.slice(9, 33));
      for (const encoding of ['hex', 'base64', 'base64url'] as const)
        expect(log).not.toContain(hashSecret(secret).toString(encoding));
    }
    expect(log.toLowerCase()).not.toContain('bearer');
  });

  it('holds nothing of what a backend answered', async () => {
    backend.behave(async (request) =>
      usableScore(request, { tier: 'sesame' as never, trust: 'open sesame' as never }),
    );

    expect((await run(account.key.secret)).status).toBe(502);
    expect(log).toContain('upstream_rejected');
    expect(log).not.toContain('sesame');
    backend.behave(async (request) => usableScore(request));
  });
});

describe('an unexpected failure', () => {
  it('is a 500 that says nothing, and a log line without the values of the statement', async () => {
    await test.database.query('ALTER TABLE creator RENAME TO creator_gone');

    const answer = await fetch(`${baseUrl}/api/agents`);
    const text = await answer.text();
    await test.database.query('ALTER TABLE creator_gone RENAME TO creator');

    expect(answer.status).toBe(500);
    expect(JSON.parse(text)).toMatchObject({ error: 'internal_error', status: 500 });
    expect(text).not.toMatch(INSIDES);
    expect(log).toContain('42P01');
    expect(log).not.toContain('FROM listing');
    expect((await fetch(`${baseUrl}/api/agents`)).status).toBe(200);
  });

  const QUOTING: [code: string, statement: string, own: RegExp][] = [
    ['22P02', 'PERFORM NEW.name::uuid', /invalid input syntax/],
    ['23505', 'INSERT INTO told VALUES (NEW.name), (NEW.name)', /duplicate key|already exists/i],
    ['23514', 'INSERT INTO checked VALUES (NEW.name)', /violates check|failing row/i],
    ['P0001', "RAISE EXCEPTION 'no such %', NEW.name USING DETAIL = NEW.name, HINT = NEW.name", /no such/],
  ];

  it.each(sampleUnlessNightly(QUOTING, ([code]) => code === '23505'))(
    '(%s) whose own message quotes a value is told and logged by its code alone',
    async (code, statement, own) => {
      const { accountId } = await makeAccount(test.database, { plan: 'pro' });
      const { token } = await makeSession(test.database, accountId);
      for (const change of [
        'CREATE TABLE told (value text PRIMARY KEY)',
        "CREATE TABLE checked (value text CHECK (value = 'fine'))",
        `CREATE FUNCTION quote_name() RETURNS trigger LANGUAGE plpgsql
         AS 'BEGIN ${statement.replaceAll("'", "''")}; RETURN NEW; END'`,
        'CREATE TRIGGER quote_name BEFORE INSERT ON access_key FOR EACH ROW EXECUTE FUNCTION quote_name()',
      ])
        await test.database.query(change);
      const begun = log.length;

      const answer = await fetch(`${baseUrl}/api/console/keys`, {
        method: 'POST',
        headers: {
          Cookie: `sid=${token}`,
          'Content-Type': 'application/json',
          'Sec-Fetch-Site': 'same-origin',
        },
        body: JSON.stringify({ name: 'marmalade-4711', scopes: ['scores:read'] }),
      });
      const text = await answer.text();
      const logged = log.slice(begun);
      await test.database.query('DROP FUNCTION quote_name() CASCADE');
      await test.database.query('DROP TABLE told, checked');

      expect([answer.status, JSON.parse(text).error]).toEqual([500, 'internal_error']);
      expect(logged).toContain(`"sqlState":"${code}"`);
      for (const told of [text, logged]) {
        expect(told).not.toContain('marmalade-4711');
        expect(told).not.toMatch(own);
      }
    },
  );
});

describe('a database that is away', () => {
  const name = () => new URL(test.url).pathname.slice(1);

  it('is a 503 with Retry-After on every route; the server stays, and works again by itself', async () => {
    await operator.query(`ALTER DATABASE ${name()} ALLOW_CONNECTIONS false`);
    for (let i = 0; i < 3; i++) {
      await operator.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
        name(),
      ]);
      const metered = await run(account.key.secret);
      const list = await fetch(`${baseUrl}/api/agents`);
      const ready = await fetch(`${baseUrl}/readyz`);

      expect([metered.status, list.status, ready.status]).toEqual([503, 503, 503]);
      for (const { headers } of [metered, list, ready])
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(JSON.parse(metered.text)).toMatchObject({ ok: false, code: 'unavailable' });
      expect(metered.text).not.toMatch(INSIDES);
      expect((await fetch(`${baseUrl}/livez`)).status).toBe(200);
    }

    await operator.query(`ALTER DATABASE ${name()} ALLOW_CONNECTIONS true`);
    expect((await run(account.key.secret)).status).toBe(200);
  });

  itAtNight(
    'ends sessions under load: every answer is a 200 or a 503, and the ledger agrees with each',
    async () => {
      const answers: { status: number; text: string }[] = [];
      const settledSoFar = () => answers.filter(({ status }) => status === 200).length;
      let over = false;
      // A session that ended meanwhile causes a warning, which our sessions treat as an error.
      await operator.query('SET client_min_messages = error');
      await test.database.query("UPDATE account SET plan = 'pro' WHERE id = $1", [account.accountId]);
      const callers = Array.from({ length: 6 }, async () => {
        while (!over) answers.push(await run(account.key.secret));
      });
      // Repeats until a slow machine has seen both: ended sessions and successful calls.
      for (let round = 0; round < 12 || settledSoFar() <= 10; round += 1) {
        await operator.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name = 'trust-directory'",
          [name()],
        );
        await new Promise((resolve) => setTimeout(resolve, 50 + 25 * round));
      }
      over = true;
      await Promise.all(callers);

      const settled = answers
        .filter(({ status }) => status === 200)
        .map(({ text }) => JSON.parse(text).ledger_id);
      const stored = await operatorRuns();
      expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
      expect(settled.length).toBeGreaterThan(10);
      expect(settled.filter((ledgerId) => !stored.has(ledgerId))).toEqual([]);
    },
    180_000,
  );
});

async function operatorRuns(): Promise<Set<string>> {
  const reader = connect(test.url, { applicationName: 'reader', poolSize: 1 });
  const rows = await reader.query<{ ledger_id: string }>(
    "SELECT ledger_id FROM usage_run WHERE state = 'settled'",
  );
  await reader.close();
  return new Set(rows.map(({ ledger_id }) => ledger_id));
}
