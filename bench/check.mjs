// Measures how long `trust-directory check` takes for a lock file of 1,000 packages, including the start of the process, with a
// server on the same machine.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withServerAndDatabase } from './bench-server.mjs';
import { middle } from './figures.ts';

const run = promisify(execFile);
const CLI = fileURLToPath(new URL('../sdk/dist/cli.mjs', import.meta.url));
const PACKAGES = Number(process.env.CHECK_PACKAGES ?? 1_000);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const MOST_SECONDS = 3;

/** Measures the command and returns the line of its table. */
export function measure() {
  return withServerAndDatabase({}, async (baseUrl) => {
    const folder = await mkdtemp(join(tmpdir(), 'trust-directory-bench-'));
    try {
      await writeFile(join(folder, 'package-lock.json'), lockFile());
      const times = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const startedAt = performance.now();
        const args = ['check', folder, '--report-only', '--json'];
        const env = { ...process.env, TRUST_DIRECTORY_URL: baseUrl, HOME: folder };
        const { stdout } = await run(process.execPath, [CLI, ...args], { env, maxBuffer: 2 ** 28 });
        times.push((performance.now() - startedAt) / 1_000);
        const { checks } = JSON.parse(stdout);
        const failed = checks.find(({ failure }) => failure !== null);
        if (checks.length !== PACKAGES || failed)
          throw new Error(`${checks.length} checks. ${failed?.failure}`);
      }
      const seconds = middle(times);
      return [
        {
          work: `check of a lock file of ${PACKAGES} packages, with the start of the process`,
          against: '',
          measured: `${seconds.toFixed(2)} s`,
          target: `≤ ${MOST_SECONDS} s`,
          met: seconds <= MOST_SECONDS,
        },
      ];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

function lockFile() {
  const entries = Array.from({ length: PACKAGES }, (_, index) => [
    `node_modules/package-${index}`,
    { version: `1.${index}.0` },
  ]);
  return JSON.stringify({ lockfileVersion: 3, packages: Object.fromEntries(entries) }, null, 2);
}
