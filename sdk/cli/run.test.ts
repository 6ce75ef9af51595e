import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectEveryRow } from '../../server/testing/every-row.ts';
import { type Mock, startMock } from '../mock/start-mock.ts';
import { type CommandRunOptions, runCommand } from '../test/command-run.ts';
import { page, subject } from '../test/samples.ts';
import { CLOSED_ADDRESS, standIn } from '../test/stand-in.ts';
import { COMMANDS } from './commands.ts';
import { widthOf } from './text/width.ts';

let mock: Mock;
beforeAll(async () => {
  mock = await startMock({ host: '127.0.0.1', port: 0 });
});
afterAll(() => mock?.close());

/** Runs a command against the mock, with a key. */
function run(args: string, options: CommandRunOptions = {}) {
  const environment = {
    TRUST_DIRECTORY_URL: mock.url,
    TRUST_DIRECTORY_API_KEY: 'any',
    ...options.environment,
  };
  return runCommand(args.split(' '), { ...options, environment });
}

describe('a command ends with', () => {
  const runs: readonly (readonly [number, string])[] = [
    [0, 'lookup a/b'],
    [0, 'explain a/b'],
    [0, 'explain b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88 --at 2026-10-24T00:00:00Z'],
    [0, 'history a/b'],
    [0, 'history a/b --since 2026-10-24T00:00:00Z'],
    [0, 'search --limit 1'],
    [0, 'lineage a/b'],
    [0, 'identity example-labs'],
    [0, 'receipts'],
    [0, 'receipts 01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47'],
    [0, 'score a/b --dry-run'],
    [0, 'score a/b --yes'],
    [1, 'lookup a/b --mock-code 500'],
    [2, 'lookup'],
    [2, 'explain a/b --at yesterday'],
    [2, 'lookup a/b --mock-code 400'],
    [2, 'lookup a/b --url nonsense'],
    [2, 'serach x'],
    [2, 'identity ..'],
    [2, 'receipts ..'],
    [2, 'lookup '],
    [2, 'check a/b '],
    [2, '--json lookup x'],
    [2, 'completion powershell'],
    [2, 'mock --port many'],
    [3, 'lookup a/b --mock-code 404'],
    [3, 'lookup a/b --mock-code 409'],
    [3, 'lineage a/b --mock-example account'],
    [4, 'receipts --mock-code 401'],
    [4, 'score a/b --operation agent_score --yes --mock-code 403'],
    [5, 'score a/b --operation agent_score --yes --mock-code 402'],
  ];
  it('the documented exit code', async () => {
    const check = async ([code, args]: readonly [number, string]) => {
      const { exitCode, stdout, stderr } = await run(args);

      expect(exitCode, stderr).toBe(code);
      expect(code === 0 ? stdout : stderr).not.toBe('');
      if (code !== 0) expect(stdout).toBe('');
      expect(stderr).not.toMatch(/^ +at /m);
    };

    await expectEveryRow(runs, ([code, args]) => `${code}: ${args}`, check);
  });

  it('6 without a response', async () => {
    const environment = { TRUST_DIRECTORY_URL: CLOSED_ADDRESS };
    const { exitCode, stderr } = await run('lookup a/b', { environment });

    expect(exitCode).toBe(6);
    expect(stderr).toContain('TRUST_DIRECTORY_URL');
  }, 20_000);

  it('4 without a required key, and says where to set it', async () => {
    const environment = { TRUST_DIRECTORY_API_KEY: '' };
    const { exitCode, stderr } = await run('receipts', { environment });

    expect(exitCode).toBe(4);
    expect(stderr).toContain('/nonexistent/trust-directory/config.json (mode 600)');
  });
});

describe('search', () => {
  const many = { total: 10_000, totalIsLowerBound: true, nextCursor: 'next' };
  it.each([
    ['an exact total', { total: 18_001, nextCursor: 'next' }, /^1 of 18,001 shown\.$/m],
    ['a total of what is shown', {}, /^1 found\.$/m],
    ['a lower bound', many, /^1 of 10,000\+ shown\.$/m],
    ['a list longer than its lower bound', { ...many, total: 1 }, /^1 of 1\+ shown\.$/m],
    ['nothing found', { data: [], total: 0 }, /^Nothing matches\./m],
  ])('prints %s', async (_name, changes, summary) => {
    const server = await standIn({ body: { ...page, ...changes } });
    const { stdout } = await run('search agent --limit 1', {
      environment: { TRUST_DIRECTORY_URL: server.url },
    });

    expect(stdout).toMatch(summary);
    expect(stdout).not.toContain('Not looked for');
  });

  it('prints the words that were not looked for', async () => {
    const { stdout } = await run('search the agent --mock-example broad_search --limit 1');

    expect(stdout).toMatch(/^1 of 10,000\+ shown\.\nNot looked for: "the"\.$/m);
  });

  it('prints the nearest entries if nothing matches', async () => {
    const { stdout } = await run('search flux capacitor --mock-example empty');

    expect(stdout).toMatch(
      /^Not looked for: "flux", "capacitor"\.\nNearest entries:\nGemini CLI {2}by google-gemini$/m,
    );
  });
});

describe('score', () => {
  it('rejects a run without a terminal and --yes, before anything is sent', async () => {
    const server = await standIn({});
    const environment = { TRUST_DIRECTORY_URL: server.url };
    const { exitCode, stderr } = await run('score a/b', { environment });

    expect(exitCode).toBe(2);
    expect(stderr).toContain('--yes');
    expect(server.seen).toEqual([]);
  });

  it('sends only a dry run before confirmation, and nothing if declined', async () => {
    const server = await standIn(
      { body: { ...subject, trustScore: 1, confidence: 1, tier: 'low', score_version: null } },
      {
        body: {
          ok: true,
          operation: 'agent_score',
          dry_run: true,
          result: null,
          price_credits: 10,
          charge_source: 'included',
          balance_after: null,
          resolved_subject: subject,
        },
      },
    );
    const { exitCode, stderr } = await run('score a/b', {
      answer: false,
      environment: { TRUST_DIRECTORY_URL: server.url },
    });

    expect(exitCode).toBe(7);
    expect(stderr).toMatch(/price +10 credits\npaid from +included/);
    expect(server.seen.map(({ method, body }) => [method, body.dry_run])).toEqual([
      ['GET', undefined],
      ['POST', true],
    ]);
  });

  it('rejects an empty idempotency key before anything is sent, because a new one would charge a second time', async () => {
    const server = await standIn({});
    const environment = { TRUST_DIRECTORY_URL: server.url };
    const args = 'score a/b --operation skill_score --yes --idempotency-key=';

    const { exitCode, stderr } = await run(args, { environment });

    expect(exitCode).toBe(2);
    expect(stderr).toContain('--idempotency-key');
    expect(server.seen).toEqual([]);
  });

  it('shows the current record for a replay', async () => {
    const args = 'score a/b --operation skill_score --yes --idempotency-key again';

    await run(args);
    const { exitCode, stdout } = await run(args);

    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/charged before[\s\S]*trust +[\d.]+ of 100[\s\S]*receipt/);
  });
});

describe('text from the directory', () => {
  const hostile = {
    ...subject,
    name: 'x\u001b]0;owned\u0007\u001b[2Jy\r\nfake',
    trustScore: 1,
    confidence: 1,
  };
  const body = { ...hostile, tier: '\u001b[31mlow', score_version: null };

  it('never controls the terminal', async () => {
    const { url } = await standIn({ body });
    const { stdout } = await run('lookup a/b --no-color', {
      environment: { TRUST_DIRECTORY_URL: url },
      columns: 60,
    });

    expect(stdout).toMatch(/^xy fake\n/);
    expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });

  it('is complete and escaped in JSON', async () => {
    const { url } = await standIn({ body });
    const { stdout } = await run('lookup a/b --json', { environment: { TRUST_DIRECTORY_URL: url } });

    expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(JSON.parse(stdout)).toEqual(body);
  });

  it('is sanitized in errors too', async () => {
    const error = { error: 'not_found', message: 'No \u001b[2Jsuch \u202ething.', status: 404 };
    const { url } = await standIn({ status: 404, body: error });
    const { stderr } = await run('lookup a/b', { environment: { TRUST_DIRECTORY_URL: url } });

    expect(stderr).toBe('No such thing.\n');
  });
});

it.each(['search -- --json', 'search -- a --json --no-color'])(
  '%s searches for the words after --',
  async (args) => {
    const { exitCode, stdout } = await run(args, { columns: 80, environment: { TERM: 'xterm' } });

    expect(exitCode).toBe(0);
    expect(stdout.startsWith('\u001b[1m')).toBe(true);
  },
);

describe('help', () => {
  it.each(['--help', ...COMMANDS.map(({ name }) => `${name} --help`)])('%s fits 60 columns', async (args) => {
    const { exitCode, stdout } = await run(args, { columns: 60, environment: { NO_COLOR: '1' } });

    expect(exitCode).toBe(0);
    for (const line of stdout.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(60);
  });

  it.each(COMMANDS.map((command) => [command.name, command] as const))(
    'of %s has an example, and names every option',
    async (name, { examples, options }) => {
      const { stdout } = await run(`help ${name}`);

      expect(examples.length).toBeGreaterThan(0);
      for (const option of Object.keys(options)) expect(stdout).toContain(`--${option}`);
      expect(stdout).toMatch(/Examples\n +# /);
    },
  );

  it('prints errors as JSON with --json', async () => {
    const { stdout, stderr } = await run('lookup a/b --json --mock-code 404');

    expect(stdout).toBe('');
    expect(JSON.parse(stderr)).toMatchObject({ exitCode: 3, status: 404, code: 'not_found' });
  });
});
