import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { itAtNight } from '../../server/testing/at-night.ts';
import { sampleUnlessNightly } from '../../server/testing/nightly.ts';
import { lookupService, unknownPackages } from './lookup-service.ts';
import { installSdk } from './packed-package.ts';

const run = promisify(execFile);
const textOf = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Commits at which the documents pin the Action and the entry for pre-commit. */
const documented = new Set(textOf('sdk/docs/check.md').match(/\b[0-9a-f]{40}\b/g));
const [commit = ''] = documented;
const hasCommit = spawnSync('git', ['cat-file', '-e', commit], { cwd: ROOT }).status === 0;

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}
interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

const action = parse(textOf('action.yml')) as Action;
const AFFECTED = '{"lockfileVersion": 3, "packages": {\n"node_modules/mcp-remote": {"version": "0.1.15"}}}';
const SOUND = '{"lockfileVersion": 3, "packages": {\n"node_modules/lodash": {"version": "4.17.21"}}}';

let folder: string;
let packages: string[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trust-directory-pipeline-'));
  const sdk = await installSdk(folder);
  const { stdout } = await run('bash', ['-c', 'ls *.tgz'], { cwd: folder });
  packages = stdout
    .trim()
    .split('\n')
    .map((name) => join(folder, name));
  expect(packages).toContain(sdk);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a shell line, and returns its exit code and output. */
async function shell(line: string, cwd: string, env: Readonly<Record<string, string>>) {
  const inherited = {
    PATH: process.env.PATH ?? '',
    HOME: cwd,
    npm_config_offline: 'true',
    npm_config_cache: join(folder, '.npm'),
  };
  // Call bash with the options that a GitHub runner uses.
  return run('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', line], {
    cwd,
    env: { ...inherited, ...env },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, text: stdout + stderr }),
    (error) => ({ code: error.code as number, text: String(error.stdout) + String(error.stderr) }),
  );
}

function project(lock: string): string {
  const path = mkdtempSync(join(folder, 'project-'));
  writeFileSync(join(path, 'package-lock.json'), lock);
  return path;
}

/** Runs the steps of the action with these inputs, up to the first that fails. */
async function runAction(cwd: string, given: Readonly<Record<string, string>>) {
  const inputs = (text: string) =>
    text.replaceAll(
      /\$\{\{ inputs\.([\w-]+) \}\}/g,
      (_, name: string) => given[name] ?? action.inputs[name]?.default ?? '',
    );
  let last = { code: 0, text: '' };
  for (const { run: line, env = {} } of action.runs.steps) {
    if (line === undefined || last.code !== 0) continue;
    const own = Object.entries(env).map(([name, value]) => [name, inputs(value)]);
    last = await shell(line, cwd, { RUNNER_TEMP: join(folder, 'runner'), ...Object.fromEntries(own) });
  }
  return last;
}

/** Runs of the action: one that fails, one that only reports, and one that passes. */
const CHECKS = [
  { lock: AFFECTED, more: {}, code: 8, shows: 'Not affected: 0.1.16', findings: 1 },
  {
    lock: AFFECTED,
    more: { 'report-only': 'true', paths: 'package-lock.json\n' },
    code: 0,
    shows: '1 refused',
    findings: 1,
  },
  { lock: SOUND, more: {}, code: 0, shows: '1 passed', findings: 0 },
];

describe('the GitHub Action', () => {
  it('names what it uses by commit, and its package by version', () => {
    for (const { uses } of action.runs.steps) if (uses) expect(uses).toMatch(/@[0-9a-f]{40}$/);
    expect(action.inputs.package?.default).toMatch(/@\d+\.\d+\.\d+$/);
    // An input that is inserted into a shell line would be executed as part of that line.
    for (const { run: line = '' } of action.runs.steps) expect(line).not.toContain('${{');
  });

  it.each(sampleUnlessNightly(CHECKS, ({ code }) => code > 0))(
    'ends as documented, with the findings as SARIF: $shows',
    async ({ lock, more, code, shows, findings }) => {
      const { url } = await lookupService(unknownPackages);
      const cwd = project(lock);

      const checked = await runAction(cwd, { url, package: packages.join(' '), ...more });

      expect(checked).toEqual({ code, text: expect.stringContaining(shows) });
      // The runner reads no command, such as `::add-mask::`, from what is printed in between.
      expect(checked.text).toMatch(/^::stop-commands::(\w{32})\n.*\n::\1::\n/s);
      const sarif = JSON.parse(readFileSync(join(cwd, 'trust-directory.sarif'), 'utf8'));
      expect(sarif.runs[0].results).toHaveLength(findings);
    },
    300_000,
  );

  it('runs no part of an input as a command', async () => {
    const { url } = await lookupService(unknownPackages);
    const cwd = project(SOUND);

    await runAction(cwd, {
      url,
      package: packages.join(' '),
      paths: '$(touch injected)\n`touch injected`; touch injected',
      policy: '"; touch injected; "',
    });

    expect((await run('ls', { cwd })).stdout).not.toContain('injected');
  }, 300_000);
});

// In a checkout without history, the contents of the documented commit cannot be read.
it.skipIf(!hasCommit)('the documents name a commit that has this Action and this entry', async () => {
  expect(documented.size).toBe(1);
  for (const name of ['action.yml', '.pre-commit-hooks.yaml']) {
    const { stdout } = await run('git', ['show', `${commit}:${name}`], { cwd: ROOT });
    expect(stdout).toBe(textOf(name));
  }
});

itAtNight(
  'the entry for pre-commit runs the command with its arguments',
  async () => {
    const [hook] = parse(textOf('.pre-commit-hooks.yaml')) as {
      entry: string;
      args: string[];
      files: string;
    }[];
    if (!hook) throw new Error('There is no hook.');
    const { url } = await lookupService(unknownPackages);
    const line = [hook.entry, ...hook.args].join(' ');
    const checks = sampleUnlessNightly(
      CHECKS.filter(({ more }) => !('report-only' in more)),
      ({ code }) => code > 0,
    );

    for (const { lock, code } of checks)
      expect(await shell(line, project(lock), { TRUST_DIRECTORY_URL: url })).toMatchObject({ code });
    expect(
      ['a/uv.lock', '.cursor/mcp.json', 'readme.md'].map((name) => new RegExp(hook.files).test(name)),
    ).toEqual([true, true, false]);
  },
  300_000,
);
