import { inject } from 'vitest';
import type { ConnectOptions } from '../src/platform/database/connect.ts';
import { createClone, dropClone, openClone, type TestDatabase } from './clone-database.ts';
import { findOutdatedCopies } from './outdated-copies.ts';

export type { TestDatabase } from './clone-database.ts';

export interface TestDatabaseOptions extends ConnectOptions {
  /** Makes a database without any migration. */
  readonly empty?: boolean;
  /** The test writes single tables, so `close` does not compare listings with their copies. */
  readonly outdatedCopies?: boolean;
}

/**
 * Makes a fresh migrated database as a clone of the run's template. `close` throws if a writer of listings has left one of
 * their copies behind.
 */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const { empty = false, outdatedCopies = false, ...connectOptions } = options;
  const serverUrl = inject('testServerUrl');
  const name = await (empty
    ? createClone(serverUrl, 'template0')
    : takeClone(serverUrl, inject('testTemplate')));
  const { database, url } = openClone(serverUrl, name, connectOptions);
  const drop = async () => {
    await database.close();
    await dropInBackground(serverUrl, name);
  };
  if (empty || outdatedCopies) return { database, url, close: drop };
  const close = async () => {
    const outdated = await findOutdatedCopies(database).finally(drop);
    if (outdated.length > 0) throw new Error(`copies of listings are outdated: ${JSON.stringify(outdated)}`);
  };
  return { database, url, close };
}

/** True if the server ends with the run, and with it what the background work of a worker leaves. */
const IS_OWN_SERVER = !process.env.TEST_DATABASE_URL;

/** Clone that is made while a test runs, for the next test of this worker. */
let spare: { template: string; name: Promise<string> } | null = null;
let lastDrop = Promise.resolve();

/** Returns the name of a new clone, and begins to make the next one. */
async function takeClone(serverUrl: string, template: string): Promise<string> {
  if (!IS_OWN_SERVER) return createClone(serverUrl, template);
  const current = spare?.template === template ? spare.name : createClone(serverUrl, template);
  // The next test is told if its clone fails; there may be none.
  const next = current.catch(() => null).then(() => createClone(serverUrl, template));
  next.catch(() => undefined);
  spare = { template, name: next };
  return current;
}

/** Drops a clone during the next tests. If it fails, the next call throws. */
async function dropInBackground(serverUrl: string, name: string): Promise<void> {
  await lastDrop;
  lastDrop = dropClone(serverUrl, name);
  lastDrop.catch(() => undefined);
  if (!IS_OWN_SERVER) await lastDrop;
}
