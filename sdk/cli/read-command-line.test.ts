import { describe, expect, it } from 'vitest';
import { score } from './commands/score.ts';
import { search } from './commands/search.ts';
import { countOf, readCommandLine } from './read-command-line.ts';

describe('a command line', () => {
  it('has options before, between and after the words', () => {
    expect(readCommandLine(search, ['--tier', 'high', 'browser', '--limit=5', 'agent', '--json'])).toEqual({
      options: { tier: 'high', limit: '5', json: true },
      words: ['browser', 'agent'],
    });
  });

  it('has only words after --', () => {
    expect(readCommandLine(search, ['--', '--tier', '-x']).words).toEqual(['--tier', '-x']);
  });

  it.each([
    [['--prot', '1'], 'There is no option --prot here.'],
    [['-x'], 'There is no option -x here.'],
    [['--limit'], '--limit needs a value: COUNT.'],
    [['--limit', '--json'], '--limit needs a value: COUNT.'],
    [['--limit='], '--limit needs a value: COUNT.'],
    [['--json=yes'], '--json takes no value.'],
    [['--yes'], 'There is no option --yes here.'],
    [['--constructor'], 'There is no option --constructor here.'],
    [['--__proto__'], 'There is no option --__proto__ here.'],
  ])('%j is refused: %s', (args, sentence) => {
    expect(() => readCommandLine(search, args)).toThrow(`${sentence} See: trust-directory search --help`);
  });

  it('has as many words as the command takes, unless it asks for help', () => {
    expect(() => readCommandLine(score, [])).toThrow('score needs <anything>.');
    for (const blank of ['', ' '])
      expect(() => readCommandLine(score, [blank])).toThrow(
        '<anything> is empty. Name it, or set the variable',
      );
    expect(() => readCommandLine(score, ['a', 'b'])).toThrow('"b" is one word too many.');
    expect(readCommandLine(score, ['-h']).options).toEqual({ help: true });
  });

  it.each(['0', '-1', '1.5', 'many', '1e3', ''])('takes no count of %j', (limit) => {
    expect(() => countOf({ limit }, 'limit')).toThrow('--limit must be a whole number from 1');
  });
});
