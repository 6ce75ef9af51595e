import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { migrateUp } from './migrate.ts';
import { explainedFailure, unusableDatabase } from './unusable-database.ts';

const ROLE = `limited_${randomBytes(4).toString('hex')}`;
let empty: TestDatabase;
let closedPort: number;

/** Creates a database owned by another role than the one that connects, and a port without a listener. */
beforeAll(async () => {
  empty = await createTestDatabase({ empty: true });
  await empty.database.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD 'secret'`);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  closedPort = (server.address() as AddressInfo).port;
  await once(server.close(), 'close');
});
afterAll(async () => {
  await empty.database.query(`DROP OWNED BY ${ROLE}; DROP ROLE ${ROLE}`);
  await empty.close();
});

function url(change: (url: URL) => void): string {
  const changed = new URL(empty.url);
  change(changed);
  return changed.href;
}

const asLimited = () =>
  url((each) => {
    [each.username, each.password] = [ROLE, 'secret'];
  });

async function sentenceFor(databaseUrl: string): Promise<string> {
  const failure = await migrateUp(databaseUrl).catch((error: unknown) => error);
  return unusableDatabase(failure).message;
}

describe('the sentence about a database that cannot be used', () => {
  it.each<[string, () => string, RegExp]>([
    [
      'a wrong password',
      () =>
        url((each) => {
          each.password = 'wrong';
        }),
      /: password authentication failed for user "\w+"\. Correct the user and the password in DATABASE_URL/,
    ],
    [
      'a database that there is not',
      () =>
        url((each) => {
          each.pathname = '/none';
        }),
      /: database "none" does not exist\. Create that database/,
    ],
    [
      'a port that nothing listens on',
      () =>
        url((each) => {
          each.port = String(closedPort);
        }),
      /ECONNREFUSED .*\. Start PostgreSQL there, or correct the host and the port/,
    ],
    [
      'a host that there is not',
      () =>
        url((each) => {
          each.hostname = 'nothing.invalid';
        }),
      /(ENOTFOUND|EAI_AGAIN) nothing\.invalid\. Correct the host/,
    ],
    [
      'a server without TLS',
      () =>
        url((each) => {
          each.search = '?sslmode=verify-full';
        }),
      /does not support SSL connections\. Enable TLS in PostgreSQL/,
    ],
    [
      'a role that may make no tables',
      asLimited,
      /: migration 0075-baseline failed: permission denied for schema public\. Make the user of DATABASE_URL the owner/,
    ],
  ])('of %s says what to do', async (_what, databaseUrl, sentence) => {
    const said = await sentenceFor(databaseUrl());

    expect(said).toMatch(/^The database that DATABASE_URL names cannot be used: /);
    expect(said).toMatch(sentence);
    expect(said).toMatch(/[^.]\.$/);
    expect(said).not.toContain('secret');
  });

  it('of a role that may make tables and no extension names the statement that a superuser runs', async () => {
    await empty.database.query(`GRANT ALL ON SCHEMA public TO ${ROLE}`);

    expect(await sentenceFor(asLimited())).toMatch(
      /permission denied to create extension "pg_trgm"\. Let a superuser run "CREATE EXTENSION pg_trgm" in that database once/,
    );
  });

  it('of a replica names the primary', async () => {
    const readOnly = url((each) => {
      each.search = '?options=-c%20default_transaction_read_only%3Don';
    });

    expect(await sentenceFor(readOnly)).toMatch(/read-only transaction\. Set DATABASE_URL to the primary/);
  });

  it('tells what happened where a name has several addresses, and the code where there are no words', () => {
    const attempts = [Object.assign(new Error('connect ECONNREFUSED ::1:1'), { code: 'ECONNREFUSED' })];
    const both = Object.assign(new AggregateError(attempts, ''), { code: 'ECONNREFUSED' });
    const mute = Object.assign(new Error(''), { code: 'EODD' });

    expect(unusableDatabase(both).message).toContain('connect ECONNREFUSED ::1:1. Start PostgreSQL');
    expect(unusableDatabase(mute).message).toMatch(/: EODD\.$/);
  });

  it('is for failures that have to do with it: any other stays as it is', () => {
    const other = new Error('The database is not empty.');

    expect(explainedFailure(other)).toBe(other);
  });
});
