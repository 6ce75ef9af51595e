import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../server/src/database/embedded-postgres.ts';
import { migrateUp } from '../server/src/database/migrate.ts';
import { memoryFolder } from '../server/testing/memory-folder.ts';
import type { Arena } from './arena.ts';

/** A PostgreSQL that belongs to one experiment. */
export interface Durable {
  readonly url: string;
  readonly postgres: EmbeddedPostgres;
  /** Where its data lies. */
  readonly folder: string;
}

/** An embedded PostgreSQL of its own with the settings it ships with: fsync and synchronous commit on. */
export async function openDurable(arena: Arena): Promise<Durable> {
  const folder = await mkdtemp(join(memoryFolder(), 'trust-directory-torture-'));
  arena.atEnd(() => rm(folder, { recursive: true, force: true }));
  // The server runs as a user of its own where we are root.
  await chmod(folder, 0o711);
  const dataDir = join(folder, 'data');
  const postgres = await openEmbeddedPostgres(dataDir);
  arena.atEnd(() => postgres.stop());
  await migrateUp(postgres.url);
  return { url: postgres.url, postgres, folder: join(dataDir, 'postgres') };
}
