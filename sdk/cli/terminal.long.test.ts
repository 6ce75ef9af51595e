import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { States } from '../../contract-tests/targets/states.ts';
import { TARGETS, type Target } from '../../contract-tests/targets/target.ts';
import { itAtNight } from '../../server/testing/at-night.ts';
import { sampleUnlessNightly } from '../../server/testing/nightly.ts';
import { type BuiltCommandLine, buildCommandLine } from '../test/built-command-line.ts';
import { INTERRUPT, inTerminal } from '../test/pseudo-terminal.ts';
import { slowLine } from '../test/slow-line.ts';
import { widthOf } from './text/width.ts';

type Visitor = States['a visitor with a key'];

const COLUMNS = 60;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is looked for.
const COLOUR = /\u001b\[[\d;]*m/g;

const plain = (text: string) => text.replaceAll(COLOUR, '');

/** Returns the arguments of a metered call, whose output every run checks. */
const SCORING = ({ subject }: Visitor) => ['score', subject, '--yes'];

/** Every command with output, and a pattern that the output must match. */
const SHOWING: [command: string, args: (visitor: Visitor) => string[], shows: RegExp][] = [
  ['lookup', ({ subject }) => ['lookup', subject], /^trust +[\d.]+ of 100$/m],
  ['search', ({ words }) => ['search', words], /^ {2}AGT-\w{8} {2}(agent|skill)/m],
  ['lineage', ({ id }) => ['lineage', id], /^└─ .*AGT-\w{8}/m],
  ['receipts', () => ['receipts'], /shown\.|No receipts\./],
  ['score', ({ subject }) => ['score', subject, '--dry-run'], /^price +/m],
  ['score', SCORING, /^receipt +[\w-]{36}$/m],
];

/** Ways to have no colours: the environment and the options. */
const COLOURLESS: [name: string, environment: Record<string, string>, options: string[]][] = [
  ['NO_COLOR', { NO_COLOR: '1' }, []],
  ['--no-color', {}, ['--no-color']],
  ['a dumb terminal', { TERM: 'dumb' }, []],
];
/** Answers that are no consent; the last one is the end of the input. */
const REFUSALS = ['n\n', '\n', 'maybe\n', '\u0004'];

let program: BuiltCommandLine;
let home: string;
beforeAll(async () => {
  program = await buildCommandLine();
  home = await mkdtemp(join(tmpdir(), 'trust-directory-terminal-'));
});
afterAll(async () => {
  await rm(home, { recursive: true, force: true });
  await program?.remove();
});

/** The commands look the same on the mock, which other tests run them against. */
const CHOSEN = sampleUnlessNightly(TARGETS, ({ name }) => name === 'server');

describe.each(CHOSEN.map(({ name, start }) => [name, start] as const))('on the %s', (_name, start) => {
  let target: Target;
  let visitor: Visitor;
  let env: Record<string, string>;
  beforeAll(async () => {
    target = await start(() => undefined);
    visitor = await target.given('a visitor with a key');
    env = {
      XDG_CONFIG_HOME: home,
      TRUST_DIRECTORY_URL: visitor.baseUrl,
      TRUST_DIRECTORY_API_KEY: visitor.apiKey,
    };
  });
  afterEach(() => target.restore());
  afterAll(() => target?.stop());

  it.each(sampleUnlessNightly(SHOWING, ([, args]) => args === SCORING))(
    '%s is coloured and fits 60 columns',
    async (_command, args, shows) => {
      const session = inTerminal(program.file, args(visitor), { env, columns: COLUMNS });

      expect(await session.ended, session.output()).toBe(0);
      expect(plain(session.output())).toMatch(shows);
      expect(session.output()).toMatch(COLOUR);
      for (const line of plain(session.output()).split('\n'))
        expect(widthOf(line)).toBeLessThanOrEqual(COLUMNS);
    },
  );

  it.each(sampleUnlessNightly(COLOURLESS, ([name]) => name === 'a dumb terminal'))(
    'shows no colour with %s',
    async (_name, more, options) => {
      const session = inTerminal(program.file, ['lookup', visitor.subject, ...options], {
        env: { ...env, ...more },
      });

      expect(await session.ended).toBe(0);
      expect(session.output()).toMatch(/^trust +[\d.]+ of 100$/m);
      expect(session.output()).not.toMatch(COLOUR);
    },
  );

  itAtNight('prints no colours and unwrapped lines to a pipe, and colours on demand', async () => {
    const args = ['score', visitor.subject, '--yes'];

    const piped = inTerminal(program.file, args, { env, columns: 40, pipe: '2>/dev/null | cat' });
    const forced = inTerminal(program.file, args, {
      env: { ...env, FORCE_COLOR: '1' },
      pipe: '2>/dev/null | cat',
    });

    expect(await piped.ended).toBe(0);
    expect(piped.output()).not.toMatch(COLOUR);
    expect(piped.output()).toMatch(/^receipt +[\w-]{36}$/m);
    await forced.ended;
    expect(forced.output()).toMatch(COLOUR);
  });

  itAtNight('prints JSON that parses, in a terminal too', async () => {
    const session = inTerminal(program.file, ['lookup', visitor.subject, '--json'], {
      env,
      columns: COLUMNS,
    });

    expect(await session.ended).toBe(0);
    expect(JSON.parse(session.output())).toMatchObject({ trustScore: expect.any(Number) });
  });

  it('asks before it spends, and runs after yes', async () => {
    const session = inTerminal(program.file, ['score', visitor.subject], { env, columns: COLUMNS });

    await session.shows(/price[\s\S]*paid from[\s\S]*Run it\? \[y\/N\] /);
    session.type('y\n');

    expect(await session.ended, session.output()).toBe(0);
    expect(plain(session.output())).toMatch(/^receipt +[\w-]{36}$/m);
  });

  it.each(sampleUnlessNightly(REFUSALS, (answer) => answer === '\n'))(
    'spends nothing after %j',
    async (answer) => {
      const session = inTerminal(program.file, ['score', visitor.subject], { env });

      await session.shows(/Run it\?/);
      session.type(answer);

      expect(await session.ended).toBe(7);
      expect(session.output()).toContain('nothing was spent');
      expect(session.output()).not.toMatch(/receipt/);
    },
  );

  itAtNight('exits with 130 on Ctrl-C during the question, with nothing spent', async () => {
    const session = inTerminal(program.file, ['score', visitor.subject], { env });

    await session.shows(/Run it\?/);
    session.type(INTERRUPT);

    expect(await session.ended).toBe(130);
    expect(session.output()).toContain('Stopped. Nothing was spent.');
  });

  it('exits with 130 on Ctrl-C during a request, and prints how to repeat it without a second charge', async () => {
    const slow = { ...env, TRUST_DIRECTORY_URL: (await slowLine(visitor.baseUrl, 700)).url };
    const session = inTerminal(program.file, ['score', visitor.subject, '--yes', '--no-color'], {
      env: slow,
    });

    await session.shows(/paid from/);
    session.type(INTERRUPT);

    expect(await session.ended, session.output()).toBe(130);
    expect(session.output()).toContain('Stopped.');
    const told = session.output().replaceAll(/ \\\n */g, ' ');
    const [, line = ''] = /trust-directory (score .*)/.exec(told) ?? [];
    const again = inTerminal(program.file, [...line.split(' '), '--yes', '--json'], {
      env,
      pipe: '2>/dev/null',
    });
    expect(await again.ended, again.output()).toBe(0);
    expect(JSON.parse(again.output())).toMatchObject({
      meta: { idempotencyKey: line.split(' ').at(-1) },
    });
  });

  itAtNight('exits with 130 on Ctrl-C during a free request', async () => {
    const line = await slowLine(visitor.baseUrl, 60_000);
    const slow = { ...env, TRUST_DIRECTORY_URL: line.url };
    const session = inTerminal(program.file, ['lookup', visitor.subject], { env: slow });

    await line.asked;
    session.type(INTERRUPT);

    expect(await session.ended).toBe(130);
    expect(session.output()).toContain('Stopped.');
  });

  itAtNight('exits silently when the reader closes the pipe', async () => {
    const session = inTerminal(program.file, ['search', '--json'], { env, pipe: '| head -n 1' });

    expect(await session.ended).toBe(0);
    expect(session.output()).toBe('{\n');
  });
});
