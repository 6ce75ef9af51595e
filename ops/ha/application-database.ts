import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const ROLE = 'trust_directory';
const PATIENCE_MS = 120_000;

/**
 * Creates the role and the database of the server, once a leader accepts statements. The role owns this database and
 * nothing else. Returns its URL.
 */
export async function createApplicationDatabase(adminUrl: string, password: string): Promise<string> {
  const deadline = Date.now() + PATIENCE_MS;
  const statements = [
    `CREATE ROLE ${ROLE} LOGIN PASSWORD '${password}'`,
    `CREATE DATABASE ${ROLE} OWNER ${ROLE}`,
  ];
  for (;;) {
    try {
      await execute(adminUrl, statements);
      break;
    } catch (error) {
      if (Date.now() > deadline) throw new Error(`No leader takes statements: ${(error as Error).message}.`);
      await sleep(200);
    }
  }
  const url = new URL(adminUrl);
  [url.username, url.password, url.pathname] = [ROLE, password, `/${ROLE}`];
  return url.href;
}

async function execute(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement).catch(unlessThere);
  } finally {
    await client.end();
  }
}

/** Ignores 42710 and 42P04: an earlier try created the object, but its answer was lost. */
function unlessThere(error: { code?: string }): void {
  if (error.code !== '42710' && error.code !== '42P04') throw error;
}
