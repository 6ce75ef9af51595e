import { describe, expect, it } from 'vitest';
import { logToStderr } from './log-to-stderr.ts';

function open() {
  const written: string[] = [];
  const turns: (() => void)[] = [];
  const exits: (() => void)[] = [];
  const log = logToStderr({
    file: { write: (text) => void written.push(text) },
    afterTurn: (write) => turns.push(write),
    atExit: (write) => exits.push(write),
  });
  const endTurn = () => {
    for (const end of turns.splice(0)) end();
  };
  const exit = () => {
    for (const end of exits) end();
  };
  return { log, written, endTurn, exit };
}

describe('log lines', () => {
  it('of one turn are one write, in their order, and each turn has its own', () => {
    const { log, written, endTurn } = open();

    log.write('one\n');
    log.write('two\n');
    expect(written).toEqual([]);
    endTurn();
    log.write('three\n');
    endTurn();
    endTurn();

    expect(written).toEqual(['one\ntwo\n', 'three\n']);
  });

  it('that are left when the process ends are written once', () => {
    const { log, written, endTurn, exit } = open();

    log.write('last words\n');
    exit();
    endTurn();

    expect(written).toEqual(['last words\n']);
  });
});
