import { describe, expect, it } from 'vitest';
import { logToStderr } from './log-to-stderr.ts';

function open(isHeld = false) {
  const written: string[] = [];
  const moments: (() => void)[] = [];
  const exits: (() => void)[] = [];
  const log = logToStderr({
    file: { write: (text) => void written.push(text) },
    soon: (write) => moments.push(write),
    atExit: (write) => exits.push(write),
    isHeld,
  });
  const endMoment = () => {
    for (const end of moments.splice(0)) end();
  };
  const exit = () => {
    for (const end of exits) end();
  };
  return { log, written, endMoment, exit };
}

describe('log lines', () => {
  it('are collected for a moment and written at once, in order', () => {
    const { log, written, endMoment } = open();

    log.write('one\n');
    log.write('two\n');
    expect(written).toEqual([]);
    endMoment();
    log.write('three\n');
    endMoment();
    endMoment();

    expect(written).toEqual(['one\ntwo\n', 'three\n']);
  });

  it('remaining when the process ends are written once', () => {
    const { log, written, endMoment, exit } = open();

    log.write('last words\n');
    exit();
    endMoment();

    expect(written).toEqual(['last words\n']);
  });

  it('of a start are buffered until its output is printed, except warnings', () => {
    const { log, written, endMoment } = open(true);

    log.write('{"level":30,"msg":"listening"}\n');
    endMoment();
    expect(written).toEqual([]);
    log.write('{"level":40,"msg":"slow"}\n');
    endMoment();
    expect(written).toEqual(['{"level":30,"msg":"listening"}\n{"level":40,"msg":"slow"}\n']);

    log.write('{"level":30,"msg":"more"}\n');
    log.release();
    endMoment();
    log.write('{"level":30,"msg":"after"}\n');
    endMoment();
    expect(written.slice(1)).toEqual(['{"level":30,"msg":"more"}\n', '{"level":30,"msg":"after"}\n']);
  });

  it('buffered by a start are written when it fails', () => {
    const { log, written, exit } = open(true);

    log.write('{"level":30,"msg":"listening"}\n');
    exit();

    expect(written).toEqual(['{"level":30,"msg":"listening"}\n']);
  });
});
