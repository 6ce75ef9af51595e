import { inject } from 'vitest';
import type { ConnectOptions } from '../src/platform/database/connect.ts';
import { cloneDatabase, type TestDatabase } from './clone-database.ts';

export type { TestDatabase } from './clone-database.ts';

/** Makes a fresh migrated database as a clone of the run's template (`{ empty: true }`: without any migration). */
export function createTestDatabase(
  options: ConnectOptions & { readonly empty?: boolean } = {},
): Promise<TestDatabase> {
  const { empty = false, ...connectOptions } = options;
  return cloneDatabase(inject('testServerUrl'), empty ? 'template0' : inject('testTemplate'), connectOptions);
}
