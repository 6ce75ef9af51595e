import { describe, expect, it } from 'vitest';
import { createPublicUrls } from '../../../catalog/subjects/public-path.ts';
import { METHOD } from '../../../scoring/embedded/method-rs-1.0.0.ts';
import { signalLabel, signalNote } from '../score/signal-labels.ts';
import { methodDocument } from './method.page.tsx';
import { computeExamples, signalsOf } from './method-examples.ts';

const document = methodDocument(createPublicUrls('https://trust.example'));

/** Returns points and sum as the table prints them, in tenths. */
function printedPoints(): { rows: number[]; sum: number } {
  const table = document.slice(document.indexOf('id="why"'), document.indexOf('id="unclaimed"'));
  const cells = [...table.matchAll(/<td class="n">(\d+\.\d)<\/td>/g)].map(([, text]) =>
    Math.round(10 * Number(text)),
  );
  return { rows: cells.slice(0, -1), sum: cells.at(-1) ?? 0 };
}

describe('the page about the method', () => {
  it('shows the published example, computed by the method itself', () => {
    const { claimed, unclaimed } = computeExamples();

    // Vector B of the published method.
    expect(claimed).toMatchObject({ trust: 66.6, confidence: 77.6, lowerBound: 50.6, tier: 'high' });
    expect(unclaimed.trust).toBeLessThan(claimed.trust);
    expect(unclaimed.tier).toBe('low');
    for (const { trust, confidence } of [claimed, unclaimed])
      expect(document).toContain(`<b>Trust ${Math.round(trust)} · Confidence ${Math.round(confidence)}%</b>`);
  });

  it('prints points that add up to the trust', () => {
    const { rows, sum } = printedPoints();

    expect(rows).toHaveLength(10);
    expect(rows.reduce((total, points) => total + points, 0)).toBe(sum);
    expect((sum / 10).toFixed(1)).toBe(computeExamples().claimed.trust.toFixed(1));
  });

  it.each(['skill', 'creator', 'social_account'] as const)(
    'names every signal of a %s with its weight, and says what it is worth',
    (type) => {
      const signals = signalsOf(type);

      expect(signals.reduce((sum, { weight }) => sum + weight, 0)).toBe(100);
      for (const { signal } of signals) {
        expect(signalLabel(signal)).not.toBeNull();
        expect(signalNote(signal)).not.toBeNull();
      }
    },
  );

  it('lists every cap', () => {
    for (const cap of Object.keys(METHOD.caps)) expect(document).toContain(signalLabel(cap));
  });
});
