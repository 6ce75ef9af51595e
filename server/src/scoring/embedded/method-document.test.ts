import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  factsOfVector,
  METHOD_DOCUMENT,
  readDocumentVectors,
} from '../../../testing/scoring/document-vectors.ts';
import { scoreRequest } from '../../../testing/scoring/golden-vectors.ts';
import { scoreByMethod } from './embedded-backend.ts';
import { RS_2_0_0 } from './method-rs-2.0.0.ts';

const document = readFileSync(METHOD_DOCUMENT, 'utf8');
const vectors = readDocumentVectors();

/** Returns the rows of the tables in a section of the document: the code in the first cell, and the second cell. */
function rowsOf(title: string): [string, string][] {
  const section = document.slice(document.indexOf(`\n## ${title}\n`)).split(/\n## /)[1] ?? '';
  return [...section.matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm)].map(([, name = '', cell = '']) => [name, cell]);
}

describe('the document of method rs-2.0.0', () => {
  it('has at least twenty vectors, each with a name of its own', () => {
    expect(vectors.length).toBeGreaterThanOrEqual(20);
    expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length);
  });

  it.each(vectors)(
    'has the score of $name',
    ({ facts, trust, confidence, lowerBound, tier, status, caps }) => {
      const score = scoreByMethod(scoreRequest(factsOfVector(facts)), RS_2_0_0);

      expect(Math.abs(score.trust - trust)).toBeLessThanOrEqual(0.1001);
      expect(Math.abs(score.confidence - confidence)).toBeLessThanOrEqual(0.1001);
      expect(Math.abs(score.lowerBound - lowerBound)).toBeLessThanOrEqual(0.1001);
      expect({ tier: score.tier, status: score.status, caps: score.caps.map(({ cap }) => cap) }).toEqual({
        tier,
        status,
        caps,
      });
    },
  );

  it('lists every signal with its weight and certainty', () => {
    const { repository } = RS_2_0_0;
    const signals = Object.entries(repository).flatMap(([name, entry]) =>
      typeof entry === 'object' && 'weight' in entry ? [[name, String(entry.weight)]] : [],
    );

    expect(rowsOf('Signals')).toEqual(signals);
    for (const [name, entry] of Object.entries(repository)) {
      if (typeof entry === 'object' && 'weight' in entry)
        expect(document).toContain(`| \`${name}\` | ${entry.weight} | ${entry.certainty} |`);
    }
  });

  it('lists every cap of agents and skills with its limit', () => {
    const { scam_flag: _scam, audience_spike: _spike, young_account: _young, ...caps } = RS_2_0_0.caps;

    expect(rowsOf('Caps').toSorted()).toEqual(
      Object.entries(caps)
        .map(([name, { limit }]) => [name, String(limit)])
        .toSorted(),
    );
  });
});
