import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type CommandRun, runCommand } from '../../test/command-run.ts';
import { directoryError, record } from '../../test/samples.ts';
import { CLOSED_ADDRESS, type Reply, standIn } from '../../test/stand-in.ts';

const trusted: Reply = { body: { ...record, trustScore: 80 } };
const doubtful: Reply = { body: { ...record, trustScore: 20 } };
const unknown: Reply = { status: 404, body: directoryError(404, 'not_found') };
const removed: Reply = { status: 410, body: directoryError(410, 'gone') };
const broken: Reply = { status: 503, body: directoryError(503, 'unavailable') };

async function check(replies: readonly Reply[], ...args: string[]): Promise<CommandRun & { asked: number }> {
  const server = await standIn(...replies);
  const environment = { TRUST_DIRECTORY_URL: server.url };
  return { ...(await runCommand(['check', ...args], { environment })), asked: server.seen.length };
}

async function policyFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trust-directory-policy-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'policy.json');
  await writeFile(path, text);
  return path;
}

beforeEach(() => void vi.stubEnv('TRUST_DIRECTORY_MAX_RETRIES', '0'));
afterEach(() => void vi.unstubAllEnvs());

describe('check ends with', () => {
  it.each([
    [0, 'every subject meets the policy', [trusted, trusted], ['a', 'b']],
    [8, 'one does not', [trusted, doubtful, trusted], ['a', 'b', 'c']],
    [8, 'one is unknown', [trusted, unknown], ['a', 'b']],
    [8, 'one was removed', [trusted, removed], ['a', 'b']],
    [9, 'one check failed', [trusted, broken], ['a', 'b']],
    [9, 'an answer is not the directory’s', [{ body: '<h1>Welcome</h1>' }], ['a']],
    [8, 'one does not and another check failed', [broken, doubtful], ['a', 'b']],
  ] as const)('%i where %s', async (code, _when, replies, subjects) => {
    const { exitCode, stdout, asked } = await check(replies, ...subjects, '--min-trust', '60');

    expect(exitCode).toBe(code);
    expect(asked).toBe(subjects.length);
    for (const subject of subjects) expect(stdout).toContain(subject);
  });

  it.each([[[]], [['--policy', '{}']], [['--policy', '{"type": "agent", "maxAgeDays": 100000}']]])(
    '9 without a policy, whatever the score, with a hint: %j',
    async (given) => {
      const args = await Promise.all(given.map((each) => (each.startsWith('{') ? policyFile(each) : each)));
      const { exitCode, stdout, stderr } = await check([trusted], 'a', ...args);

      expect(exitCode).toBe(9);
      expect(stdout).toMatch(/could not tell/);
      expect(stdout).toMatch(/trust +80/);
      expect(stdout).not.toContain('trusted');
      expect(stderr).toContain('--min-trust');
    },
  );

  it('8 without a policy if the subject is unknown or delisted', async () => {
    expect((await check([unknown], 'a')).exitCode).toBe(8);
    expect((await check([removed], 'a')).exitCode).toBe(8);
  });

  it.each([
    [[trusted], []],
    [[doubtful], ['--min-trust', '60']],
    [[removed], ['--min-trust', '60']],
    [[broken], ['--min-trust', '60']],
  ] as const)('0 with --report-only, and prints the same', async (replies, args) => {
    const strict = await check(replies, 'a', ...args, '--json');
    const { exitCode, stdout } = await check(replies, 'a', ...args, '--json', '--report-only');

    expect(strict.exitCode).toBeGreaterThan(7);
    expect([exitCode, stdout]).toEqual([0, strict.stdout]);
    expect(JSON.parse(stdout).ok).toBe(false);
  });

  it('2 with --report-only and an invalid policy', async () => {
    const path = await policyFile('{"minTurst": 60}');

    expect((await check([trusted], 'a', '--report-only', '--policy', path)).exitCode).toBe(2);
  });

  it('9 without a response', async () => {
    const environment = { TRUST_DIRECTORY_URL: CLOSED_ADDRESS };

    expect((await runCommand(['check', 'a'], { environment })).exitCode).toBe(9);
  });

  it.each([
    ['a policy that is not there', ['--policy', '/nonexistent/policy.json'], 'ENOENT'],
    [
      'a least trust that is no number',
      ['--min-trust', 'high'],
      '--min-trust must be a number from 0 to 100',
    ],
    ['a least confidence beyond 100', ['--min-confidence', '101'], '--min-confidence must be'],
  ])('2 with %s, and sends nothing', async (_what, args, sentence) => {
    const { exitCode, stderr, asked } = await check([trusted], 'a', ...args);

    expect(exitCode).toBe(2);
    expect(stderr).toContain(sentence);
    expect(asked).toBe(0);
  });

  it.each([
    ['{"minTurst": 60}', 'minTurst'],
    ['{"minTrust": "60"}', 'minTrust'],
    ['{"__proto__": {"minTrust": 60}}', '__proto__'],
    ['[{"minTrust": 60}]', 'must be a JSON object'],
    ['null', 'must be a JSON object'],
    ['{"minTrust": 60', 'is not JSON'],
  ])('2 with the policy %s, and sends nothing', async (text, sentence) => {
    const { exitCode, stderr, asked } = await check([trusted], 'a', '--policy', await policyFile(text));

    expect(exitCode).toBe(2);
    expect(stderr).toContain(sentence);
    expect(asked).toBe(0);
  });
});

describe('a policy', () => {
  it('is read from a file; the command line overrides it', async () => {
    const path = await policyFile('{"minTrust": 90, "minConfidence": 10, "maxAgeDays": 100000}');

    expect((await check([trusted], 'a', '--policy', path)).exitCode).toBe(8);
    expect((await check([trusted], 'a', '--policy', path, '--min-trust', '80')).exitCode).toBe(0);
    expect(
      (await check([trusted], 'a', '--policy', path, '--min-trust', '80', '--min-confidence', '99')).exitCode,
    ).toBe(8);
  });
});

describe('what check prints', () => {
  it('is a line per subject with all reasons', async () => {
    const { stdout } = await check(
      [doubtful, broken],
      'a',
      'b',
      '--min-trust',
      '60',
      '--min-confidence',
      '90',
    );

    expect(stdout).toMatch(
      /^a \(Changelog Agent\).*refused\n {2}Trust is 20; the minimum is 60\.\n {2}Confidence is 48\.2/,
    );
    expect(stdout).toMatch(/\nb.*could not tell\n {2}It failed: unavailable\./);
  });

  it('is JSON on standard output with --json, whatever the verdict', async () => {
    const args = ['--min-trust', '60', '--json'];
    const { stdout, stderr } = await check([trusted, unknown, broken], 'a', 'b', 'c', ...args);

    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      checks: [
        { subject: 'a', verdict: 'trusted', reasons: [], record: { trustScore: 80 }, failure: null },
        { subject: 'b', verdict: 'refused', reasons: [{ code: 'unknown_subject' }], record: null },
        { subject: 'c', verdict: 'could not tell', reasons: [], failure: 'It failed: unavailable.' },
      ],
    });
    expect(stderr).toBe('');
  });
});
