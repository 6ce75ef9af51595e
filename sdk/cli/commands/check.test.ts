import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type CommandRun, runCommand } from '../../test/command-run.ts';
import { listed, lookupService, unknownPackages } from '../../test/lookup-service.ts';
import { CLOSED_ADDRESS } from '../../test/stand-in.ts';

const warning = { verdict: { state: 'warning', sentence: 'Malware.', reasons: [] } };
const ANSWERS: Record<string, ReturnType<typeof unknownPackages>> = {
  good: listed({ trustScore: 80 }),
  doubtful: listed({ trustScore: 20 }),
  bad: listed(warning),
  removed: { status: 'removed', message: 'It was removed: the owner asked for it.' },
  odd: { status: 'invalid', message: 'A subject has 1 to 512 characters.' },
};

/** Changes with one listing, which is the whole directory. */
const DIRECTORY = {
  data: [
    {
      ...{ canonical_id: 'a0', removed: false, subject: null },
      agent: {
        id: 'good',
        repositoryUrl: 'https://github.com/a/b',
        packages: [{ registry: 'npm', name: 'mcp-remote' }],
      },
    },
  ],
  ...{ nextCursor: null, cursor: 'end' },
};

/** Runs `check`, or another command, against a service, in a folder with these files. */
async function check(
  args: readonly string[],
  files: Readonly<Record<string, string>> = {},
  links: Readonly<Record<string, string>> = {},
  command = 'check',
) {
  const service = await lookupService((subject) => ANSWERS[subject] ?? unknownPackages(subject), [DIRECTORY]);
  const folder = projectOf(files);
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(folder, name));
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
  const environment = { TRUST_DIRECTORY_URL: service.url, HOME: folder };
  const run: CommandRun = await runCommand([command, ...args], { environment });
  return { ...run, ...service, folder };
}

function projectOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'trust-directory-check-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const lock = (...packages: string[]) =>
  JSON.stringify(
    {
      lockfileVersion: 3,
      packages: Object.fromEntries(
        packages.map((each) => {
          const [, name, version] = /^(.+)@(.+)$/.exec(each) ?? [];
          return [`node_modules/${name}`, { version }];
        }),
      ),
    },
    null,
    2,
  );
const LOCK = { 'package-lock.json': lock('mcp-remote@0.1.15', 'lodash@4.17.21') };

beforeEach(() => void vi.stubEnv('TRUST_DIRECTORY_MAX_RETRIES', '0'));
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe('check ends with', () => {
  it('the documented exit code', async () => {
    const table: [args: string[], files: Record<string, string>, exitCode: number][] = [
      [['good', 'good', '--min-trust', '60'], {}, 0],
      [['good', 'doubtful', '--min-trust', '60'], {}, 8],
      [['good', 'removed', '--min-trust', '60'], {}, 8],
      [['nobody', '--min-trust', '60'], {}, 8],
      [['good', 'odd', '--min-trust', '60'], {}, 9],
      [['doubtful', 'odd', '--min-trust', '60'], {}, 8],
      // Without a policy.
      [['good'], {}, 9],
      [['nobody'], {}, 9],
      [['bad'], {}, 8],
      [['removed'], {}, 8],
      [['good', '--report-only'], {}, 0],
      [['bad', '--report-only'], {}, 0],
      // Lock files.
      [['--policy', 'recommended'], LOCK, 8],
      [['.', '--policy', 'recommended'], { 'package-lock.json': lock('lodash@4.17.21') }, 0],
      [['.'], { 'package-lock.json': lock('lodash@4.17.21') }, 9],
      [['./package-lock.json', '--policy', 'strict'], { 'package-lock.json': lock('lodash@4.17.21') }, 8],
      [['.', '--policy', 'recommended'], { 'package-lock.json': '{' }, 9],
      [['.', '--policy', 'advisories'], { 'requirements.txt': 'idna' }, 0],
      // A private package passes only if `allow` names it.
      [
        ['.', '--policy', 'recommended'],
        { 'package-lock.json': lock('@c/x@1.0.0'), '.npmrc': '@c:registry=https://c.example/' },
        9,
      ],
      [
        ['.', '--policy', 'p.json'],
        {
          'package-lock.json': lock('@c/x@1.0.0'),
          '.npmrc': '@c:registry=https://c.example/',
          'p.json': '{"notAffected": true, "allow": ["npm:@c/*"]}',
        },
        0,
      ],
      [['--path', '.', '--path', 'a.txt', '--policy', 'advisories'], { ...LOCK, 'a.txt': '' }, 8],
      // Invalid command lines.
      [['./nothing'], {}, 2],
      [['.'], { 'readme.txt.md': '' }, 2],
      [['good', '--policy', 'none.json'], {}, 2],
      [['good', '--format', 'xml'], {}, 2],
      [['good', '--min-trust', 'high'], {}, 2],
      [['good', '--offline', 'none.ndjson'], {}, 2],
      [['good', '--report-only', '--policy', 'p.json'], { 'p.json': '{"minTurst": 60}' }, 2],
    ];
    const codes: number[] = [];
    for (const [args, files] of table) {
      const folder = projectOf(files);
      const placed = args.map((each) => (each === 'p.json' ? join(folder, each) : each));
      codes.push((await check(placed, files)).exitCode);
    }

    expect(table.map(([args], index) => [args, codes[index]])).toEqual(
      table.map(([args, , code]) => [args, code]),
    );
  });

  it.each([
    ['{"minTurst": 60}', 'minTurst'],
    ['{"minTrust": "60"}', 'minTrust'],
    ['{"__proto__": {"minTrust": 60}}', '__proto__'],
    ['[{"minTrust": 60}]', 'must be a JSON object'],
    ['{"minTrust": 60', 'is not JSON'],
  ])('2 with the policy %s, and sends nothing', async (text, sentence) => {
    const policy = join(projectOf({ 'p.json': text }), 'p.json');
    const { exitCode, stderr, sent } = await check(['good', '--policy', policy]);

    expect([exitCode, sent]).toEqual([2, []]);
    expect(stderr).toContain(sentence);
  });

  it('9 without a response', async () => {
    const environment = { TRUST_DIRECTORY_URL: CLOSED_ADDRESS };

    expect((await runCommand(['check', 'a', '--min-trust', '1'], { environment })).exitCode).toBe(9);
  });
});

it('says what is affected and what is not, where it stands, and never that anything is trusted', async () => {
  const { stdout } = await check(['--policy', 'recommended'], LOCK);

  expect(stdout).toMatch(/^CRITICAL +npm:mcp-remote@0\.1\.15 +refused +package-lock\.json:4\n/);
  expect(stdout).toContain('Affected: 0.1.15. Not affected: 0.1.16.');
  expect(stdout).toContain('2 checked: 1 passed, 1 refused.');
  for (const args of [['good', '--min-trust', '1'], ['good']]) {
    const { stdout: text, stderr } = await check(args);
    expect(text + stderr).not.toMatch(/trusted/i);
  }
});

it('reads no file that a requirements file names outside the project, and none that is no regular file', async () => {
  const elsewhere = projectOf({ 'key.txt': 'topsecret\n' });
  const { bodies, stdout, exitCode } = await check(
    ['--policy', 'advisories', '--json'],
    {
      'requirements.txt': `idna==3.10\n-r ${join(elsewhere, 'key.txt')}\n-r link.txt\n-r endless.txt\n-r missing.txt\n`,
    },
    { 'link.txt': join(elsewhere, 'key.txt'), 'endless.txt': '/dev/zero', '.npmrc': '/dev/zero' },
  );

  expect(bodies.join()).not.toContain('topsecret');
  expect(stdout).not.toContain('topsecret');
  expect(exitCode).toBe(9);
  expect(
    JSON.parse(stdout).checks.filter(({ verdict }: { verdict: string }) => verdict === 'could not tell'),
  ).toHaveLength(4);
});

it('sends only names and versions, 100 at a time, and none of a private registry', async () => {
  const names = Array.from({ length: 250 }, (_, index) => `p${index}@1.0.0`);
  const { sent, bodies } = await check(['--policy', 'recommended'], {
    'package-lock.json': lock(...names, '@corp/secret@1.0.0'),
    '.npmrc': '@corp:registry=https://npm.corp.example/\n//npm.corp.example/:_authToken=token',
    '.mcp.json': JSON.stringify({ mcpServers: { s: { command: 'npx', args: ['-y', 'a@1.0.0', 'token'] } } }),
    'node_modules/x/package-lock.json': lock('inner@1.0.0'),
  });

  expect([...sent].sort()).toEqual([...names, 'a@1.0.0'].map((each) => `npm:${each}`).sort());
  expect(bodies.map((body) => Object.keys(JSON.parse(body)))).toEqual([
    ['subjects'],
    ['subjects'],
    ['subjects'],
  ]);
  expect(bodies.join()).not.toMatch(/corp|token|lock/);
});

it('accepts what a baseline has, but nothing new and no Warning', async () => {
  const baseline = join(projectOf({}), 'baseline.json');
  const first = await check(['--policy', 'recommended', '--write-baseline', baseline], LOCK);
  const again = await check(['--policy', 'recommended', '--baseline', baseline], LOCK);
  const other = { 'package-lock.json': lock('mcp-remote@0.1.14') };
  const newer = await check(['--policy', 'recommended', '--baseline', baseline], other);
  const bad = await check(['bad', '--policy', 'recommended', '--write-baseline', baseline]);
  const none = await check(['nobody', '--write-baseline', baseline]);

  expect([first, again, newer, bad, none].map(({ exitCode }) => exitCode)).toEqual([0, 0, 8, 8, 9]);
  expect(again.stdout).toContain('refused, in the baseline');
});

it('checks a snapshot without sending anything, and does not guess what it lacks', async () => {
  const snapshot = join(projectOf({}), 'snapshot.ndjson');
  const args = ['--policy', 'recommended', '--json'];
  const online = await check([...args, '--export', snapshot], LOCK);
  const offline = await check([...args, '--offline', snapshot], LOCK);
  const lacking = await check([...args, '--offline', snapshot], { 'package-lock.json': lock('other@1.0.0') });

  expect([offline.exitCode, offline.sent]).toEqual([8, []]);
  expect(JSON.parse(offline.stdout)).toEqual(JSON.parse(online.stdout));
  expect((await check([...args.slice(0, 2), '--offline', snapshot], LOCK)).stderr).toMatch(
    /^Looked up in a snapshot of 20\d\d-.*Z\./,
  );
  expect(lacking.exitCode).toBe(9);
  expect(lacking.stdout).toContain('The snapshot does not have it.');
});

it('runs every command of its document', async () => {
  const page = readFileSync(new URL('../../docs/check.md', import.meta.url), 'utf8');
  const lines = [...page.matchAll(/^npx trust-directory (.*?)(?: && .*)?$/gm)].map(([, line = '']) => line);
  const folder = projectOf({});
  const place = (word: string) => (/\.(sarif|ndjson)$/.test(word) ? join(folder, word) : word);
  const codes: number[] = [];
  for (const line of lines) {
    const [command, ...args] = line.split(' ');
    codes.push((await check(args.map(place), LOCK, {}, command)).exitCode);
  }

  expect(lines.length).toBeGreaterThan(5);
  expect(
    lines.map((line, index) => [line, codes[index]]).filter(([, code]) => code !== 0 && code !== 8),
  ).toEqual([]);
});

describe('the formats', () => {
  const validSarif = validator(
    new URL('../../../node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json', import.meta.url)
      .pathname,
  );

  it('SARIF is valid by its schema, with every kind of result', async () => {
    const files = {
      'a b/package-lock.json': lock('mcp-remote@0.1.15', 'mcp-remote@0.1.14', '@c/x@1.0.0'),
      'requirements.txt': 'idna==3.10\n-r missing.txt',
      '.npmrc': '@c:registry=https://c.example/',
    };
    const baseline = join(projectOf({}), 'baseline.json');
    for (const args of [['--policy', 'strict'], [], ['--policy', 'strict', '--write-baseline', baseline]]) {
      const { stdout } = await check(
        ['.', 'good', 'removed', 'odd', 'bad', ...args, '--format', 'sarif'],
        files,
      );
      const { results } = JSON.parse(stdout).runs[0];

      expect(results.length).toBeGreaterThan(5);
      expect(validSarif(JSON.parse(stdout))).toBe(true);
    }
  });

  it('SARIF points at the lines of the lock file', async () => {
    const { stdout } = await check(['.', 'removed', '--policy', 'recommended', '--format', 'sarif'], LOCK);

    const [run] = JSON.parse(stdout).runs;
    expect(
      run.results.map((result: { ruleId: string; locations?: unknown }) => [result.ruleId, result.locations]),
    ).toEqual([
      [
        'affected',
        [{ physicalLocation: { artifactLocation: { uri: 'package-lock.json' }, region: { startLine: 4 } } }],
      ],
      ['removed_subject', undefined],
    ]);
    expect(run.tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual([
      'removed_subject',
      'affected',
    ]);
    expect(validSarif(JSON.parse(stdout))).toBe(true);
    expect(validSarif({ ...JSON.parse(stdout), runs: [{ ...run, tool: {} }] })).not.toBe(true);
  });

  it('CycloneDX is valid by its schema', async () => {
    const res = new URL('../../../node_modules/@cyclonedx/cyclonedx-library/res/schema/', import.meta.url)
      .pathname;
    const files = {
      ...LOCK,
      'requirements.txt': 'Some_Name==1.0',
      '.mcp.json': '{"mcpServers": {"a": {"url": "https://a.example"}}}',
    };
    const { stdout } = await check(['.', 'good', '--policy', 'recommended', '--format', 'cyclonedx'], files);

    const valid = validator(
      join(res, 'bom-1.6.SNAPSHOT.schema.json'),
      ['spdx.SNAPSHOT.schema.json', 'jsf-0.82.SNAPSHOT.schema.json'].map((each) => join(res, each)),
    );
    const bom = JSON.parse(stdout);
    expect(valid(bom)).toBe(true);
    expect(
      bom.components
        .map(({ purl }: { purl?: string }) => purl)
        .filter(Boolean)
        .sort(),
    ).toEqual(['pkg:npm/lodash@4.17.21', 'pkg:npm/mcp-remote@0.1.15', 'pkg:pypi/some-name@1.0']);
    expect(bom.vulnerabilities).toMatchObject([
      {
        id: 'CVE-2025-6514',
        affects: [
          {
            versions: [
              { version: '0.1.15', status: 'affected' },
              { version: '0.1.16', status: 'unaffected' },
            ],
          },
        ],
      },
    ]);
  });

  it('a policy is valid by its schema exactly if check takes it', async () => {
    const { POLICY_PRESETS, checkedPolicy } = await import('../../src/index.ts');
    const valid = validator(new URL('../../check/policy.schema.json', import.meta.url).pathname);
    const policies = [
      ...Object.values(POLICY_PRESETS),
      {
        minTrust: 60,
        minConfidence: 40,
        minTier: 'low',
        verified: true,
        verdict: 'verified',
        maxAge: 30,
        maxAgeDays: 30,
        type: 'agent',
        allow: ['a'],
        deny: ['b'],
      },
      ...[
        { minTrust: 101 },
        { minTrust: '1' },
        { verdict: 'trusted' },
        { allow: 'a' },
        { verified: 1 },
        { maxAge: -1 },
        { minTurst: 1 },
        { type: 'x' },
        { minTier: 'x' },
      ],
    ];
    const isTaken = (policy: object) => {
      try {
        return Boolean(checkedPolicy(policy));
      } catch {
        return false;
      }
    };

    expect(policies.map((each) => [each, valid(each) === true])).toEqual(
      policies.map((each) => [each, isTaken(each)]),
    );
  });
});

/** Compiles a JSON schema of draft 4 or 7. Formats are not checked. */
function validator(path: string, others: readonly string[] = []) {
  const ajv = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false, logger: false });
  const read = (file: string) => {
    const schema = JSON.parse(readFileSync(file, 'utf8'));
    // Draft 4 differs in the name of the id, and in keywords for bounds, which this schema doesn't use.
    if (schema.id && !schema.$id)
      Object.assign(schema, { $schema: undefined, $id: schema.id, id: undefined });
    return schema;
  };
  // Schemas refer to each other by the URLs at which CycloneDX publishes them.
  for (const other of others)
    ajv.addSchema({ ...read(other), $id: undefined }, `http://cyclonedx.org/schema/${basename(other)}`);
  const validate = ajv.compile(read(path));
  return (value: unknown) => validate(value) || JSON.stringify(validate.errors?.slice(0, 3));
}
