import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const DEBIAN = '/usr/lib/postgresql';
/** Paths of the programs as Debian's packages install them. */
const PROGRAMS = {
  patroni: '/usr/bin/patroni',
  etcd: '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
} as const;
const PACKAGES = { patroni: 'patroni', etcd: 'etcd-server', haproxy: 'haproxy' } as const;

/** Paths of the programs of a cluster. */
export type Programs = Record<keyof typeof PROGRAMS, string> & { readonly postgres: string };

/** Returns the reason why no cluster can be created on this machine, with the packages to install; null if one can. */
export function missingPrograms(): string | null {
  const names = Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[];
  const missing: string[] = names.filter((name) => !existsSync(PROGRAMS[name])).map((name) => PACKAGES[name]);
  if (newestPostgres() === null) missing.push('postgresql');
  return missing.length === 0 ? null : `install ${missing.join(', ')} (packages of Debian and Ubuntu)`;
}

/** Finds the programs; throws with the packages to install if some are missing. */
export function findPrograms(): Programs {
  const missing = missingPrograms();
  if (missing !== null) throw new Error(`A cluster needs more programs: ${missing}.`);
  return { ...PROGRAMS, postgres: newestPostgres() as string };
}

/** Finds the folder of the newest PostgreSQL with `pg_rewind`, which Patroni needs. */
function newestPostgres(): string | null {
  if (!existsSync(DEBIAN)) return null;
  const versions = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a));
  const folders = versions.map((version) => join(DEBIAN, version, 'bin'));
  return folders.find((folder) => existsSync(join(folder, 'pg_rewind'))) ?? null;
}
