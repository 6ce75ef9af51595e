import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { migrateUp } from '../server/src/platform/database/migrate.ts';
import {
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from '../server/src/platform/embedded-postgres/embedded-postgres.ts';
import { memoryFolder } from '../server/testing/memory-folder.ts';
import type { Arena } from './arena.ts';

/** A PostgreSQL for one experiment. */
export interface Durable {
  readonly url: string;
  readonly postgres: EmbeddedPostgres;
  /** Data folder of the database. */
  readonly folder: string;
}

/** Opens a separate embedded PostgreSQL with its shipped settings: fsync and synchronous commit on. */
export async function openDurable(arena: Arena): Promise<Durable> {
  const folder = await mkdtemp(join(memoryFolder(), 'trust-directory-torture-'));
  arena.atEnd(() => rm(folder, { recursive: true, force: true }));
  // As root, the embedded database runs as another user, who must be able to traverse the folder.
  await chmod(folder, 0o711);
  const dataDir = join(folder, 'data');
  const postgres = await openEmbeddedPostgres(dataDir);
  arena.atEnd(() => postgres.stop());
  await migrateUp(postgres.url);
  return { url: postgres.url, postgres, folder: join(dataDir, 'postgres') };
}
