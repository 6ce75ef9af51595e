import { inject } from 'vitest';
import type { ConnectOptions } from '../src/platform/database/connect.ts';
import { cloneDatabase, type TestDatabase } from './clone-database.ts';
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
  const template = empty ? 'template0' : inject('testTemplate');
  const test = await cloneDatabase(inject('testServerUrl'), template, connectOptions);
  if (empty || outdatedCopies) return test;
  const close = async () => {
    const outdated = await findOutdatedCopies(test.database).finally(test.close);
    if (outdated.length > 0) throw new Error(`copies of listings are outdated: ${JSON.stringify(outdated)}`);
  };
  return { ...test, close };
}
