import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readDocumentVectors } from '../../../../testing/scoring/document-vectors.ts';
import { createPublicUrls } from '../../../catalog/subjects/public-path.ts';
import { packageFile } from '../../../platform/package-files.ts';
import { ATTACKS, effectOf } from '../../../scoring/embedded/attacks.ts';
import { METHOD, METHODS } from '../../../scoring/embedded/current-method.ts';
import { signalLabel, signalNote } from '../../../scoring/explanations/signal-labels.ts';
import { methodDocument } from './method.page.tsx';
import { CHANGES } from './method-changes.tsx';
import { computeExamples, EXAMPLES_OF_BOTH_METHODS, signalsOf } from './method-examples.tsx';

const document = methodDocument(createPublicUrls('https://trust.example'));

/** Returns the points of each row and their sum, in tenths of a point, as the table "Why" prints them. */
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

    const [published] = readDocumentVectors().filter(({ name }) => name.startsWith('B '));
    // The example has the facts of vector B in the published method, except that no third-party list names the example.
    expect(Math.abs(claimed.trust - (published?.trust ?? 0))).toBeLessThan(2);
    expect(unclaimed.trust).toBeLessThan(claimed.trust);
    expect(unclaimed.tier).toBe('low');
    for (const { trust, confidence } of [claimed, unclaimed])
      expect(document).toContain(`<b>Trust ${Math.round(trust)} · Confidence ${Math.round(confidence)}%</b>`);
  });

  it('prints points that add up to the trust', () => {
    const { rows, sum } = printedPoints();

    expect(rows).toHaveLength(11);
    expect(rows.reduce((total, points) => total + points, 0)).toBe(sum);
    expect((sum / 10).toFixed(1)).toBe(computeExamples().claimed.trust.toFixed(1));
  });

  it.each(['skill', 'creator', 'social_account'] as const)(
    'has a label, a note and a weight for every signal of a %s',
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

  it('compares both methods: the changes of the document, scores of the same facts, and all weights', () => {
    const text = readFileSync(packageFile('docs/method-changes.md'), 'utf8');
    for (const { change, forWhom, effect } of CHANGES) {
      expect(text).toContain(`| ${change} | ${forWhom} | ${effect} |`);
      expect(document).toContain(escapeText(change));
    }
    const section = document.slice(document.indexOf('id="methods"'), document.indexOf('id="attacks"'));
    for (const { name, scores } of EXAMPLES_OF_BOTH_METHODS) {
      expect(section).toContain(name);
      expect(scores.map(({ methodVersion }) => methodVersion)).toEqual(METHODS.map(({ version }) => version));
    }
    for (const { signal, weight } of signalsOf('skill'))
      expect(section).toMatch(new RegExp(`${signalLabel(signal)}</th>.*?<td class="n">${weight}</td>`));
  });

  it('shows each attack with its cost and its effect', () => {
    const section = document.slice(document.indexOf('id="attacks"'));
    for (const attack of ATTACKS) {
      const { trust } = effectOf(attack);
      expect(section).toContain(escapeText(attack.name));
      expect(section).toContain(escapeText(attack.cost));
      expect(section).toContain(trust.map((figure) => figure.toFixed(1)).join(' → '));
    }
  });
});

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
