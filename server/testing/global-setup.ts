import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrateUp } from '../src/platform/database/migrate.ts';
import { startTestServer, type TestServer } from './test-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the maintenance database of the run's PostgreSQL. */
    testServerUrl: string;
    /** Migrated database without connections; every test database is a clone of it. */
    testTemplate: string;
  }
}

/** PostgreSQL for tests with a migrated template. */
export interface SharedServer {
  readonly url: string;
  readonly template: string;
  stop(): Promise<void>;
}

/** Shared between projects on globalThis, because Vitest loads this file once per project. */
const shared = globalThis as { testServer?: { users: number; server: Promise<SharedServer> } | undefined };

/** Shares one PostgreSQL between all projects of a run; the last project stops it. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  shared.testServer ??= { users: 0, server: startSharedServer() };
  const current = shared.testServer;
  current.users += 1;
  const server = await current.server;
  project.provide('testServerUrl', server.url);
  project.provide('testTemplate', server.template);

  return async () => {
    current.users -= 1;
    if (current.users > 0) return;
    shared.testServer = undefined;
    await server.stop();
  };
}

/** Number of partitions of the large tables: TEST_PARTITIONS, as for a large directory; 0 means not partitioned. */
const PARTS = Number(process.env.TEST_PARTITIONS ?? 0);

/** Starts a PostgreSQL for tests and creates the template of their databases; `stop` ends it. */
export async function startSharedServer(
  start: () => Promise<TestServer> = startTestServer,
  parts = PARTS,
): Promise<SharedServer> {
  const server = await start();
  const template = `td_template_${randomBytes(4).toString('hex')}`;
  try {
    await execute(server.url, `CREATE DATABASE ${template}`);
    await migrateUp(databaseUrl(server.url, template));
    if (parts > 0) await partition(databaseUrl(server.url, template), parts);
    // Closed to connections, so that neither autovacuum nor a stray session blocks a clone.
    await execute(server.url, `ALTER DATABASE ${template} ALLOW_CONNECTIONS false`);
  } catch (error) {
    await server.stop();
    throw error;
  }
  const stop = async () => {
    await execute(server.url, `DROP DATABASE ${template}`);
    await server.stop();
  };
  return { url: server.url, template, stop };
}

const PARTITION = fileURLToPath(new URL('../../ops/partition.sql', import.meta.url));

async function partition(url: string, parts: number): Promise<void> {
  await execute(url, `SET partition.parts = ${parts};\n${readFileSync(PARTITION, 'utf8')}`);
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
