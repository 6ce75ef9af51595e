import { describe, expect, it } from 'vitest';
import { score } from './commands/score.ts';
import { search } from './commands/search.ts';
import { countOption, readCommandLine } from './read-command-line.ts';

describe('a command line', () => {
  it('accepts options before, between and after the arguments', () => {
    expect(readCommandLine(search, ['--tier', 'high', 'browser', '--limit=5', 'agent', '--json'])).toEqual({
      options: { tier: 'high', limit: '5', json: true },
      words: ['browser', 'agent'],
    });
  });

  it('treats everything after -- as arguments', () => {
    expect(readCommandLine(search, ['--', '--tier', '-x']).words).toEqual(['--tier', '-x']);
  });

  it.each([
    [['--prot', '1'], 'Unknown option --prot.'],
    [['-x'], 'Unknown option -x.'],
    [['--limit'], '--limit needs a value: COUNT.'],
    [['--limit', '--json'], '--limit needs a value: COUNT.'],
    [['--limit='], '--limit needs a value: COUNT.'],
    [['--json=yes'], '--json takes no value.'],
    [['--yes'], 'Unknown option --yes.'],
    [['--constructor'], 'Unknown option --constructor.'],
    [['--__proto__'], 'Unknown option --__proto__.'],
  ])('%j is refused: %s', (args, sentence) => {
    expect(() => readCommandLine(search, args)).toThrow(`${sentence} See: trust-directory search --help`);
  });

  it('checks the number of arguments, except with --help', () => {
    expect(() => readCommandLine(score, [])).toThrow('score needs <anything>.');
    for (const blank of ['', ' '])
      expect(() => readCommandLine(score, [blank])).toThrow('<anything> is empty. Check the variable');
    expect(() => readCommandLine(score, ['a', 'b'])).toThrow('"b" is an unexpected argument.');
    expect(readCommandLine(score, ['-h']).options).toEqual({ help: true });
  });

  it.each(['0', '-1', '1.5', 'many', '1e3', ''])('rejects the count %j', (limit) => {
    expect(() => countOption({ limit }, 'limit')).toThrow('--limit must be a whole number from 1');
  });
});
