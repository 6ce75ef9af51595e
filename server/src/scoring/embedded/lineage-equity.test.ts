import { describe, expect, it } from 'vitest';
import { GOLDEN_VECTORS, scoreRequest } from '../../../testing/scoring/golden-vectors.ts';
import { scoreByMethod } from './embedded-backend.ts';
import { trustEquity, trustEquityFlow } from './lineage-equity.ts';
import { RS_1_0_0 } from './method-rs-1.0.0.ts';

function ownScoreOf(letter: string) {
  const vector = GOLDEN_VECTORS.find(({ name }) => name.startsWith(letter));
  if (!vector) throw new Error(`no vector ${letter}`);
  return scoreByMethod(scoreRequest(vector.facts), RS_1_0_0);
}

describe('trustEquityFlow', () => {
  it.each([
    ['A', true, 61.2],
    ['A', false, 30.6],
    ['D', false, 9.9],
  ] as const)(
    'hands down the published equity of parent %s (acknowledged: %s)',
    (letter, acknowledged, flow) => {
      expect(Math.abs(trustEquityFlow(ownScoreOf(letter), acknowledged) - flow)).toBeLessThanOrEqual(0.1001);
    },
  );

  it('passes on nothing of a parent without a confirmed score', () => {
    expect(trustEquityFlow(null, true)).toBe(0);
  });

  it('never passes on more than 85, however good the parent', () => {
    expect(trustEquityFlow({ ownTrust: 100, ownConfidence: 100 }, true)).toBe(85);
  });
});

describe('trustEquity', () => {
  it('is nothing without foreign descendants', () => {
    expect(trustEquity([])).toBe(0);
  });

  it('saturates logarithmically at fifty fully trusted descendants', () => {
    const fullyTrustedChild = { depth: 0, trust: 100 };

    expect(trustEquity([{ depth: 1, trust: 100 }])).toBe(15.6); // ln(1.85) / ln(51)
    expect(trustEquity(Array(50).fill(fullyTrustedChild))).toBe(100);
    expect(trustEquity(Array(5_000).fill(fullyTrustedChild))).toBe(100);
  });

  it('counts a descendant less with every generation', () => {
    const child = trustEquity([{ depth: 1, trust: 60 }]);
    const grandchild = trustEquity([{ depth: 2, trust: 60 }]);

    expect(child).toBe(10.5); // ln(1.51) / ln(51)
    expect(grandchild).toBe(9.2); // ln(1.4335) / ln(51)
  });
});
