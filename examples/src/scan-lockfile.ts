import { readFile } from 'node:fs/promises';
import { checkTrust, type TrustCheck, type TrustDirectory } from '@trust-directory/sdk';
import type { Example } from './example.ts';
import { scoreText } from './score-text.ts';

/** Maximum concurrent look-ups. The service allows 120 per minute, so more of them would only wait longer. */
const MAX_CONCURRENT = 4;
/** Timeout longer than a minute, because a client above the rate limit must wait until the next minute begins. */
const TIMEOUT_MS = 90_000;

interface Lockfile {
  packages?: Record<string, { resolved?: string; link?: boolean }>;
}

/**
 * Looks up all packages of an npm lock file (first argument) and lists what the directory knows about them, least
 * trusted first. A package from a git repository on GitHub is looked up by the repository, any other package by its
 * name in the registry.
 */
export const scanLockfile: Example = async (client, print, path = 'package-lock.json') => {
  const subjects = subjectsIn(JSON.parse(await readFile(path, 'utf8')));
  const found = await lookUpAll(client, subjects);
  const known = found.filter(({ record }) => record !== null);
  known.sort((one, other) => (one.record?.trustScore ?? -1) - (other.record?.trustScore ?? -1));
  for (const { subject, record } of known) {
    print(`${subject}: ${scoreText(record?.trustScore ?? null, record?.confidence ?? null)}`);
  }
  print(`The directory knows ${known.length} of ${subjects.length} packages.`);
};

/** Lists the packages of a lock file once each: `owner/repository` for one from GitHub, otherwise `npm:name`. */
export function subjectsIn({ packages = {} }: Lockfile): string[] {
  const subjects = Object.entries(packages).flatMap(([path, { resolved = '', link }]) => {
    const [, name] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? [];
    if (name === undefined || link) return [];
    const [, repository] =
      /^git\+\w+:\/\/(?:git@)?github\.com\/([^/]+\/[^/#]+?)(?:\.git)?(?:#|$)/.exec(resolved) ?? [];
    return [repository ?? `npm:${name}`];
  });
  return [...new Set(subjects)];
}

type Found = TrustCheck & { subject: string };

async function lookUpAll(client: TrustDirectory, subjects: readonly string[]): Promise<Found[]> {
  const waiting = subjects.values();
  const found: Found[] = [];
  const lane = async () => {
    for (const subject of waiting) {
      found.push({ subject, ...(await checkTrust(client, subject, {}, { timeoutMs: TIMEOUT_MS })) });
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, lane));
  return found;
}
