import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runCommand } from '../../test/command-run.ts';
import { listed, lookupService, unknownPackages } from '../../test/lookup-service.ts';

const REPOSITORY = 'https://github.com/geelen/mcp-remote';
const AGENT = {
  id: 'AGT-11111111',
  repositoryUrl: REPOSITORY,
  packages: [
    { registry: 'npm', name: 'mcp-remote', standing: 'confirmed' },
    { registry: 'oci', name: 'geelen/mcp-remote', standing: 'named' },
  ],
};
const GONE = { ...AGENT, id: 'AGT-22222222', packages: [] };
const CREATOR = {
  ...listed().record,
  canonical_id: 'c0',
  type: 'creator',
  repository: null,
  public_path: '/c/Geelen',
};
const change = (id: string, members: object) => ({
  canonical_id: id,
  removed: false,
  agent: null,
  subject: null,
  ...members,
});
const page = (data: object[], nextCursor: string | null) => ({ data, nextCursor, cursor: nextCursor ?? '9' });
/** Two pages of the snapshot, and the changes since. */
const PAGES = [
  page([change('a0', { agent: AGENT }), change('b0', { agent: GONE })], '1'),
  page([change('c0', { subject: CREATOR })], '2'),
  page([change('b0', { removed: true })], null),
];

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trust-directory-snapshot-'));
  file = join(folder, 'directory.ndjson');
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

/** Writes a snapshot of the directory. Returns what was looked up for it. */
async function write(): Promise<readonly string[]> {
  const found = listed({
    canonical_id: 'a0',
    repository: 'geelen/mcp-remote',
    trustScore: 70,
    confidence: 60,
  });
  const { url, sent } = await lookupService((subject) => ({ ...unknownPackages(subject), ...found }), PAGES);
  const { exitCode } = await runCommand(['snapshot', file], { environment: { TRUST_DIRECTORY_URL: url } });
  expect(exitCode).toBe(0);
  return sent;
}

/** Checks subjects or files offline. Returns the exit code, and the verdict and reasons of each result. */
async function check(...args: string[]) {
  const environment = { TRUST_DIRECTORY_URL: 'http://127.0.0.1:1', HOME: folder };
  const { exitCode, stdout } = await runCommand(['check', ...args, '--offline', file, '--json'], {
    environment,
  });
  const { checks } = JSON.parse(stdout) as {
    checks: { subject: string; verdict: string; reasons: { code: string }[]; unaffected: string | null }[];
  };
  const told = checks.map(({ subject, verdict, reasons }) =>
    [subject, verdict, ...reasons.map(({ code }) => code)].join(' '),
  );
  return { exitCode, told, unaffected: checks[0]?.unaffected };
}

it('has what is listed, with its packages, and nothing that was removed meanwhile', async () => {
  expect(await write()).toEqual(['AGT-11111111', 'npm:mcp-remote']);
  const passed = ['AGT-11111111', 'a0', REPOSITORY, 'Geelen/MCP-Remote', '@geelen', 'c0'];

  expect((await check(...passed, '--min-trust', '1')).told).toEqual(passed.map((name) => `${name} passed`));
  expect(await check('AGT-22222222', '--min-trust', '1')).toMatchObject({
    exitCode: 8,
    told: ['AGT-22222222 refused unknown_subject'],
  });
});

it('tells affected versions from others, and does not decide about those that it can not order', async () => {
  await write();

  const affected = await check('npm:mcp-remote@0.1.15', '--policy', 'advisories');

  expect(affected).toEqual({
    exitCode: 8,
    told: ['npm:mcp-remote@0.1.15 refused affected'],
    unaffected: '0.1.16',
  });
  for (const version of ['0.1.16', '2.0.0', '0.0.4', '1.0.0-beta.1'])
    expect(await check(`npm:mcp-remote@${version}`, '--policy', 'advisories'), version).toMatchObject({
      exitCode: 0,
    });
  for (const version of ['0.1.16-rc.1', '0.0.5-0', '1!0.1.15', 'latest'])
    expect(await check(`npm:mcp-remote@${version}`, '--policy', 'advisories'), version).toMatchObject({
      exitCode: 9,
    });
});

it('does not know, and does not pass, what the directory does not list', async () => {
  await write();
  writeFileSync(
    join(folder, 'package-lock.json'),
    '{"lockfileVersion": 3, "packages": {"node_modules/lodash": {"version": "4.17.21"}}}',
  );

  expect(await check('.', '--policy', 'recommended')).toMatchObject({
    exitCode: 9,
    told: ['npm:lodash@4.17.21 could not tell standing_unknown'],
  });
  expect(await check('.', '--policy', 'strict')).toMatchObject({ exitCode: 8 });
  expect(await check('nobody/nothing', '--policy', 'recommended')).toMatchObject({ exitCode: 8 });
});

it('is not written if a look-up fails, or to a file that can not be written', async () => {
  const { url } = await lookupService(unknownPackages, [page([change('a0', { agent: AGENT })], null)]);
  const environment = { TRUST_DIRECTORY_URL: url };
  const denied = await runCommand(['snapshot', join(folder, 'none', 'x')], { environment });
  const missing = await lookupService(
    () => ({ status: 5 as never }),
    [page([change('a0', { agent: AGENT })], null)],
  );
  const broken = await runCommand(['snapshot', file], { environment: { TRUST_DIRECTORY_URL: missing.url } });

  expect([denied.exitCode, denied.stderr]).toEqual([2, expect.stringContaining("can't be written (ENOENT)")]);
  expect(broken.exitCode).not.toBe(0);
});
