import { describe, expect, it } from 'vitest';
import { listingWith, scoreWith } from '../../../testing/pages/pages-with.ts';
import { createNaming } from '../../subjects/naming.ts';
import { listingDocument } from './listing-document.tsx';

const naming = createNaming('https://trust.example');

describe('the document of a listing', () => {
  it('shows a hostile text as it is, so that a reader sees what was written', () => {
    const document = listingDocument(listingWith('<b>bold</b>'), naming);

    expect(document).toContain('<bdi>&lt;b>bold&lt;/b></bdi>');
  });

  it.each(['constructor', '__proto__', 'toString'])('shows %s as the word that it is', (text) => {
    const shown = listingDocument(listingWith(text), naming);

    expect(shown).toContain(`<bdi>${text}</bdi>, <time`);
    expect(shown).not.toContain('[object Object]');
    expect(shown).not.toContain('native code');
  });

  it('links to a web address of somebody else, and only to one', () => {
    const page = listingWith('https://example.com/robot');

    expect(listingDocument(page, naming)).toContain(
      'href="https://example.com/robot" rel="nofollow noopener ugc"',
    );
    expect(listingDocument(listingWith('ftp://example.com'), naming)).not.toContain('ftp://example.com"');
  });

  it('shows trust and confidence as two figures, with date, method and version', () => {
    const document = listingDocument(
      { ...listingWith('x'), score: { ...scoreWith('x'), methodVersion: 'rs-1.0.0' } },
      naming,
    );

    expect(document).toMatch(/<dt>Trust<\/dt><dd[^>]*>31<\/dd>/);
    expect(document).toMatch(/<dt>Confidence<\/dt><dd[^>]*>11%<\/dd>/);
    expect(document).toContain('rs-1.0.0');
    expect(document).toContain('<code>2026-08-01T10:20:30.123456Z</code>');
    expect(document).toContain('1 Aug 2026');
  });

  it('leads with the verdict: its mark, its word and its sentence, above the figures', () => {
    const document = listingDocument(listingWith('x'), naming);

    const places = ['class="mark"', '>Warning<', 'Trust limited by the scoring method', '<dt>Trust</dt>'];
    const found = places.map((text) => document.indexOf(text));
    expect(found).toEqual(found.toSorted((a, b) => a - b));
    expect(found[0]).toBeGreaterThan(0);
  });

  it('says that a score is missing and never shows 0 in its place', () => {
    const document = listingDocument({ ...listingWith('x'), score: null }, naming);

    expect(document).toContain('No confirmed score yet');
    expect(document).not.toMatch(/>0(\.0)?</);
  });

  it('says of an edge that it is claimed, until it is acknowledged', () => {
    const page = listingWith('x');
    const acknowledged = { ...page.own, acknowledged: true };

    expect(listingDocument(page, naming)).toContain('claimed');
    const document = listingDocument({ ...page, own: acknowledged, descendants: [] }, naming);
    expect(document).toContain('x, acknowledged, passes on 30.6');
  });

  it('tells language, title, width and its one address', () => {
    const document = listingDocument(listingWith('Robot'), naming);

    expect(document).toMatch(/^<!doctype html><html lang="en"><head><meta charset="utf-8"/);
    expect(document).toContain('<title>Robot · Trust Directory</title>');
    expect(document).toContain('name="viewport"');
    expect(document).toContain('<link rel="canonical" href="https://trust.example/s/acme/robot"/>');
  });
});
