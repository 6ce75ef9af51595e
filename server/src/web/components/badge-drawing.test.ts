import { describe, expect, it } from 'vitest';
import { expectWellFormed } from '../../../testing/pages/expect-well-formed.ts';
import { type BadgeScore, badgeJson, badgeSvg, unknownBadgeSvg } from './badge-drawing.tsx';

const SCORE: BadgeScore = {
  trust: 86.8,
  confidence: 83,
  lowerBound: 76.8,
  tier: 'high',
  verdict: 'verified',
  restsOnDefaults: false,
  version: '2026-11-20T09:14:03.482915Z',
};
const WIDEST: BadgeScore = { ...SCORE, trust: 100, confidence: 100, verdict: 'little_evidence' };

describe('a badge', () => {
  it.each([
    ['a score', badgeSvg(SCORE)],
    ['the widest score', badgeSvg(WIDEST)],
    ['no score', badgeSvg(null)],
    ['nothing known', unknownBadgeSvg()],
  ])(
    'of %s is well-formed SVG of less than 1.5 KiB with nothing that a strict policy refuses',
    (_what, svg) => {
      expectWellFormed(svg);
      expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
      expect(Buffer.byteLength(svg)).toBeLessThan(1536);
      expect(svg).not.toMatch(/style|script|href|<image/);
    },
  );

  it('says trust, confidence and verdict, and the date in its title', () => {
    const svg = badgeSvg(SCORE);

    expect(svg).toContain('<title>trust 87, confidence 83%, verified, 20 Nov 2026</title>');
    expect(svg).toContain('>87 · verified</text>');
  });

  it('is red for warnings only', () => {
    const states = ['verified', 'well_evidenced', 'little_evidence', 'warning'] as const;
    const red = states.filter((verdict) => badgeSvg({ ...SCORE, tier: 'low', verdict }).includes('#8a3b2a'));

    expect(red).toEqual(['warning']);
    expect(badgeSvg({ ...SCORE, verdict: 'warning' })).toContain('>87 · warning</text>');
  });

  it('never shows a number without a score', () => {
    expect(badgeSvg(null)).toContain('>no score yet</text>');
    expect(badgeSvg(null)).not.toMatch(/>[^<]*\d[^<]*</);
  });

  it('says that there is not enough evidence instead of default figures', () => {
    const bare: BadgeScore = { ...SCORE, verdict: 'little_evidence', restsOnDefaults: true };

    expect(badgeSvg(bare)).toContain('<title>trust not enough evidence, 20 Nov 2026</title>');
    expect(badgeSvg(bare)).toContain('>not enough evidence</text>');
    expect(badgeJson(bare)).toMatchObject({ message: 'not enough evidence', color: '565f68' });
  });

  it('returns the same content for services that draw it themselves', () => {
    expect(badgeJson(SCORE)).toEqual({
      schemaVersion: 1,
      label: 'trust',
      message: '87 · verified',
      color: '0b6b66',
      scoreVersion: '2026-11-20T09:14:03.482915Z',
    });
    expect(badgeJson(null)).toEqual({
      schemaVersion: 1,
      label: 'trust',
      message: 'no score yet',
      color: '565f68',
    });
  });
});
