import { describe, expect, it } from 'vitest';
import { METHOD } from '../../scoring/embedded/rs-1.0.0.ts';
import { createNaming } from '../../subjects/naming.ts';
import { noteOfSignal } from '../score/signal-notes.ts';
import { nameOfSignal } from '../score/signal-words.ts';
import { methodDocument } from './method-document.tsx';
import { signalsOf, workExamples } from './method-example.ts';

const document = methodDocument(createNaming('https://trust.example'));

/** Points and sum as the table prints them, in tenths. */
function printedPoints(): { rows: number[]; sum: number } {
  const table = document.slice(document.indexOf('id="why"'), document.indexOf('id="unclaimed"'));
  const cells = [...table.matchAll(/<td class="n">(\d+\.\d)<\/td>/g)].map(([, text]) =>
    Math.round(10 * Number(text)),
  );
  return { rows: cells.slice(0, -1), sum: cells.at(-1) ?? 0 };
}

describe('the page about the method', () => {
  it('shows an example that the method itself worked out, as published', () => {
    const { claimed, unclaimed } = workExamples();

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
    expect((sum / 10).toFixed(1)).toBe(workExamples().claimed.trust.toFixed(1));
  });

  it.each(['skill', 'creator', 'social_account'] as const)(
    'names every signal of a %s with its weight, and says what it is worth',
    (type) => {
      const signals = signalsOf(type);

      expect(signals.reduce((sum, { weight }) => sum + weight, 0)).toBe(100);
      for (const { signal } of signals) {
        expect(nameOfSignal(signal)).not.toBeNull();
        expect(noteOfSignal(signal)).not.toBeNull();
      }
    },
  );

  it('names every limit', () => {
    for (const cap of Object.keys(METHOD.caps)) expect(document).toContain(nameOfSignal(cap));
  });
});
