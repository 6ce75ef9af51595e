import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { applied, type Mutant } from './mutant.ts';

/** A copy of the project in which mutants are applied; the project itself is never changed. */
export interface Workshop {
  readonly folder: string;
  /** Runs these tests in the copy and returns their exit code. */
  test(filters: readonly string[], timeLimitMs: number): Promise<number | 'timeout'>;
  /** Runs work while the mutant is applied to the copy. */
  withMutant<Result>(mutant: Mutant, work: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

const LEFT_OUT = new Set(['node_modules', '.git', '.data', 'dist', 'torture-report']);

/** Copies the project without generated files; `node_modules` are linked. */
export async function openWorkshop(project: string, testDatabaseUrl: string): Promise<Workshop> {
  const folder = await mkdtemp(join(tmpdir(), 'trust-directory-mutants-'));
  await cp(project, folder, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
  for (const place of ['.', 'server', 'sdk', 'contract-tests', 'examples'])
    await symlink(join(project, place, 'node_modules'), join(folder, place, 'node_modules')).catch(
      () => undefined,
    );
  return {
    folder,
    test: (filters, timeLimitMs) => runTests(folder, filters, testDatabaseUrl, timeLimitMs),
    async withMutant(mutant, work) {
      const path = join(folder, mutant.file);
      const text = await readFile(path, 'utf8');
      await writeFile(path, applied(text, mutant));
      return work().finally(() => writeFile(path, text));
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

const LONG = /^torture\//;

function runTests(
  folder: string,
  filters: readonly string[],
  testDatabaseUrl: string,
  timeLimitMs: number,
): Promise<number | 'timeout'> {
  const vitest = join(folder, 'node_modules', 'vitest', 'vitest.mjs');
  // Skip tests that start processes: those run the build, which has no mutant. Long tests run only if a filter names
  // them.
  const kinds = filters.some((filter) => LONG.test(filter)) ? ['long'] : ['unit', 'database', 'contract'];
  const projects = kinds.map((name) => `--project=${name}`);
  const child = spawn(
    process.execPath,
    [vitest, 'run', '--bail=1', '--reporter=dot', ...projects, ...filters],
    {
      cwd: folder,
      env: { ...process.env, TEST_DATABASE_URL: testDatabaseUrl },
      // Start a process group, so that everything that a hanging test has started ends with it.
      detached: true,
      stdio: 'ignore',
    },
  );
  return new Promise((resolve) => {
    const limit = setTimeout(() => {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
      resolve('timeout');
    }, timeLimitMs);
    child.once('exit', (code) => {
      clearTimeout(limit);
      resolve(code ?? 1);
    });
  });
}
