import { describe, expect, it } from 'vitest';
import { expectWellFormed } from '../../../../testing/pages/expect-well-formed.ts';
import type { BadgeScore } from '../../components/badge-drawing.tsx';
import { cardSvg } from './card-svg.tsx';

const SCORE: BadgeScore = {
  trust: 61.7,
  confidence: 42.3,
  lowerBound: 48,
  tier: 'medium',
  verdict: 'well_evidenced',
  restsOnDefaults: false,
  version: '2026-08-01T10:20:30.123456Z',
};
const draw = (name: string, path = '/a/acme/robot', score: BadgeScore | null = SCORE) =>
  cardSvg({ kind: 'agent', name, path }, score);

describe('the picture of a subject for shared links', () => {
  it('shows the verdict first, then trust and confidence separately, and the date', () => {
    const card = draw('Robot');

    expectWellFormed(card);
    const places = ['Robot', 'Well evidenced', '62', '42%', '1 Aug 2026'].map((text) =>
      card.indexOf(`>${text}</text>`),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
    expect(card).toContain('>agent · /a/acme/robot</text>');
  });

  it('shows no figures if the score consists of defaults', () => {
    const card = draw('Robot', '/a/acme/robot', {
      ...SCORE,
      verdict: 'little_evidence',
      restsOnDefaults: true,
    });

    expect(card).toContain('>Not enough evidence</text>');
    expect(card).not.toMatch(/>(?:62|42%|trust|confidence)</);
  });

  it('says that there is no confirmed score', () => {
    expect(draw('Robot', '/a/acme/robot', null)).toContain('>No confirmed score yet</text>');
  });

  it('truncates a long name so that it fits on the picture', () => {
    const card = draw('W'.repeat(300), `/a/acme/${'x'.repeat(100)}`);

    const [, size, text = ''] = /font-size="(\d+)" font-weight="700" fill="#1c2024">(W+…)</.exec(card) ?? [];
    expect(Number(size) * text.length * 0.72).toBeLessThanOrEqual(1040);
  });

  it('shows the path instead of an invisible name, and removes characters that change the text direction', () => {
    expect(draw('\u200b\u3164\u202e')).toContain('>/a/acme/robot</text>');
    expect(draw('nice\u202etxt.exe')).toContain('>nicetxt.exe</text>');
  });

  it('leaves out letters that the font lacks, and shows the path if no letter is left', () => {
    expect(draw('機器人')).toContain('>/a/acme/robot</text>');
    expect(draw('機器人 Robot')).toContain('>Robot</text>');
  });

  it('shows a path as in the URL if the font lacks letters of it', () => {
    const path = '/skills/acme/robot/%E6%A9%9F';
    expect(draw('機', path)).toContain(`>${path}</text>`);
  });
});
