import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { chmod, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { findUnprivilegedUser, giveTo } from '../server/src/database/embedded/unprivileged-user.ts';
import { openEmbeddedPostgres } from '../server/src/database/embedded-postgres.ts';
import { migrateUp } from '../server/src/database/migrate.ts';
import { memoryFolder } from '../server/testing/memory-folder.ts';
import type { Arena } from './arena.ts';

/** A PostgreSQL with durability on, whose tables lie on a disk that can be filled. */
export interface SmallDisk {
  readonly url: string;
  /** Leaves no byte free. */
  fill(): void;
  /** Gives the space back. */
  empty(): Promise<void>;
}

/** Room for the empty tables and some thousands of calls. */
const SIZE = '160m';
const PIECE = Buffer.alloc(64 * 1024);

/** Why no disk of a fixed size can be made here; null where it can. */
export function withoutSmallDisk(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'only root on Linux can mount a disk of memory';
  return null;
}

/** Makes a disk of memory, and a PostgreSQL with its tables there. */
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
  // The server runs as a user of its own where we are root.
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

/** Moves a folder to another disk and leaves a link in its place, as administrators do. */
async function moveTo(disk: string, folder: string): Promise<void> {
  const there = join(disk, 'moved');
  execFileSync('cp', ['--archive', folder, there]);
  await rename(folder, `${folder}.before`);
  await symlink(there, folder);
  await giveTo(await findUnprivilegedUser(), disk);
}
