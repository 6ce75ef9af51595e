import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { chmod, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { migrateUp } from '../server/src/platform/database/migrate.ts';
import { openEmbeddedPostgres } from '../server/src/platform/embedded-postgres/embedded-postgres.ts';
import {
  changeOwner,
  findUnprivilegedUser,
} from '../server/src/platform/embedded-postgres/postgres-programs.ts';
import { memoryFolder } from '../server/testing/memory-folder.ts';
import type { Arena } from './arena.ts';

/** A PostgreSQL with durability on, whose tables are on a small disk that the test can fill. */
export interface SmallDisk {
  readonly url: string;
  /** Fills the disk completely. */
  fill(): void;
  /** Frees the space of the disk. */
  empty(): Promise<void>;
}

/** Space for the empty tables and some thousands of calls. */
const SIZE = '160m';
const PIECE = Buffer.alloc(64 * 1024);

/** Returns the reason why a disk of fixed size cannot be created on this machine; null if it can. */
export function withoutSmallDisk(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'only root on Linux can mount a disk of memory';
  return null;
}

/** Creates a disk in memory, and a PostgreSQL with its tables there. */
export async function openOnSmallDisk(arena: Arena): Promise<SmallDisk> {
  const folder = await mkdtemp(join(memoryFolder(), 'trust-directory-disk-'));
  arena.atEnd(() => rm(folder, { recursive: true, force: true }));
  const [large, disk] = [join(folder, 'data'), `${folder}-small`];
  const mounted = await mkdtemp(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=711`, 'tmpfs', mounted]);
  arena.atEnd(async () => {
    execFileSync('umount', ['--lazy', mounted]);
    await rm(mounted, { recursive: true });
  });
  // As root, the embedded database runs as another user, who must be able to traverse the folder.
  await chmod(folder, 0o711);
  const first = await openEmbeddedPostgres(large);
  await migrateUp(first.url);
  await first.stop();
  await moveTo(mounted, join(large, 'postgres', 'base'));
  const postgres = await openEmbeddedPostgres(large);
  arena.atEnd(() => postgres.stop());
  const ballast = join(mounted, 'ballast');
  return {
    url: postgres.url,
    fill() {
      try {
        for (;;) appendFileSync(ballast, PIECE);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    },
    empty: () => rm(ballast, { force: true }),
  };
}

/** Moves a folder to another disk and leaves a link in its place. */
async function moveTo(disk: string, folder: string): Promise<void> {
  const there = join(disk, 'moved');
  execFileSync('cp', ['--archive', folder, there]);
  await rename(folder, `${folder}.before`);
  await symlink(there, folder);
  await changeOwner(await findUnprivilegedUser(), disk);
}
