import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
/** Sizes that run fast and say nothing about performance. */
const TINY = {
  ROUNDS: '1',
  SECONDS: '0.01',
  ACCOUNTS: '4',
  CONNECTIONS: '2',
  IDS: '20',
  SDK_CALLS: '10',
  STARTS: '1',
  MEMORY_FEW: '20',
  MEMORY_MANY: '40',
  FEW: '700',
  MANY: '1400',
};
/** Time limit for a hanging benchmark: many servers start one after the other, maybe on a loaded machine. */
const LONG_MS = 900_000;
/** Beginnings of the lines of the table, in order. */
const LINES = [
  ...[
    'detail, 20 ids, warm',
    'detail, 20 ids, warm',
    'detail, 20 ids, warm',
    'detail, every id cold',
    'first page, each of',
  ],
  'agent page in HTML',
  ...['metered, 4 accounts', 'metered, one account', 'one metered call at a time', 'replay of a settled key'],
  'metered, HTTP backend',
  ...[
    'lists at 1,400',
    'lists, each order by each filter at 1,400',
    'search at 1,400',
    'search for commoner words at 1,400',
    'lineage at 1,400',
  ],
  'list by cursor at row 700',
];

/** Starts the benchmark's command. `folder` returns the folder of its database, which the command prints. */
function startBench(parts: readonly string[], more: Record<string, string> = {}) {
  const { PATH, HOME } = process.env;
  const args = ['--import', 'tsx', 'bench/main.mjs', ...parts];
  const env = { PATH, HOME, TSX_TSCONFIG_PATH: 'tsconfig.test.json', ...TINY, ...more };
  const child = spawn(process.execPath, args, { cwd: PROJECT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const folder = () => /made in (\S+)/.exec(output.stderr)?.[1] ?? '';
  return { child, output, folder };
}

// Each test has a separate folder, database and servers.
describe.concurrent('the bench', () => {
  it(
    'runs its parts to their end, prints a line for each comparison and leaves nothing behind',
    async () => {
      const parts = ['reads', 'metered', 'scale'];
      const { child, output, folder } = startBench(parts);

      const [code] = await once(child, 'close');

      expect(output.stderr).not.toContain('failed');
      expect(code).toBe(0);
      const rows = output.stdout.split('\n').filter((line) => line.startsWith('| '));
      const works = rows.slice(1).map((row) => row.split('|')[1]?.trim() ?? '');
      expect(works).toHaveLength(LINES.length);
      for (const [place, begin] of LINES.entries())
        expect(works[place]?.startsWith(begin), works[place]).toBe(true);
      expect(folder()).toContain('trust-directory-bench-');
      expect(existsSync(folder())).toBe(false);
    },
    LONG_MS,
  );

  it(
    'ends what it started and removes its folders when it is interrupted',
    async () => {
      const { child, output, folder } = startBench(['memory'], { MEMORY_MANY: '1000000' });
      await new Promise<void>((resolve, reject) => {
        child.stderr.on('data', () => output.stderr.includes('of 1,000,000 calls') && resolve());
        child.once('close', () => reject(new Error(output.stderr)));
      });

      child.kill('SIGINT');
      const [code] = await once(child, 'close');

      expect(code).toBe(130);
      expect(folder()).toContain('trust-directory-bench-');
      expect(existsSync(folder())).toBe(false);
    },
    LONG_MS,
  );
});
