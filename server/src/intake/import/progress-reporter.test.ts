import { describe, expect, it } from 'vitest';
import { ProgressReporter } from './progress-reporter.ts';

function reporterOn(terminal: { isTTY?: boolean; columns?: number }) {
  const written: string[] = [];
  const clock = { now: 0 };
  const output = { ...terminal, write: (text: string) => written.push(text) };
  return { reporter: new ProgressReporter(output, () => clock.now), written, clock };
}

describe('ProgressReporter', () => {
  it('redraws one bar on a terminal, at most ten times a second', () => {
    const { reporter, written, clock } = reporterOn({ isTTY: true, columns: 80 });

    reporter.begin('listings', 2000);
    reporter.advance(500);
    clock.now = 100;
    reporter.advance(500);
    clock.now = 2500;
    reporter.end();

    expect(written).toEqual([
      '\r\u001b[2K░░░░░░░░░░░░░░░░░░░░░░░░ listings: 0 of 2,000 (0 %)',
      '\r\u001b[2K████████████░░░░░░░░░░░░ listings: 1,000 of 2,000 (50 %)',
      '\r\u001b[2Klistings: 1,000 in 2.5 s\n',
    ]);
  });

  it('never draws past the edge of a narrow terminal', () => {
    const { reporter, written } = reporterOn({ isTTY: true, columns: 30 });

    reporter.begin('listings with a repository id', 2000);

    expect(written[0]?.replace('\r\u001b[2K', '')).toHaveLength(29);
  });

  it('writes plain lines elsewhere, one every five seconds and one at the end', () => {
    const { reporter, written, clock } = reporterOn({});

    reporter.begin('artifacts', 10);
    reporter.advance(1);
    clock.now = 5000;
    reporter.advance(3);
    clock.now = 6000;
    reporter.advance(6);
    reporter.end();

    expect(written).toEqual(['artifacts: 4 of 10 (40 %)\n', 'artifacts: 10 in 6.0 s\n']);
  });
});
