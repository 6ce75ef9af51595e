import { describe, expect, it } from 'vitest';
import { listingWith, scoreWith } from '../../../../testing/pages/pages-with.ts';
import { observation, repositoryFacts, scoreRequest } from '../../../../testing/scoring/golden-vectors.ts';
import { createPublicUrls } from '../../../catalog/subjects/public-path.ts';
import { scoreByMethod } from '../../../scoring/embedded/embedded-backend.ts';
import type { ScoreDetail } from '../score/score-detail.queries.ts';
import { type ListingPage, listingDocument } from './listing.page.tsx';

/** Contributions of an unclaimed listing about which nothing was observed. */
const UNSEEN = ['freshness', 'stars', 'license', 'verified_listing'].map((signal) => ({
  signal,
  value: signal === 'verified_listing' ? 0 : null,
  weight: 10,
  points: 0,
  evidence: 0,
  status: signal === 'verified_listing' ? ('observed' as const) : ('missing' as const),
  source: null,
  observedAt: null,
  reason: null,
}));
const publicUrls = createPublicUrls('https://trust.example');

describe('the document of a listing', () => {
  it('escapes HTML in texts of others', () => {
    const document = listingDocument(listingWith('<b>bold</b>'), publicUrls);

    expect(document).toContain('<bdi>&lt;b>bold&lt;/b></bdi>');
  });

  it.each(['constructor', '__proto__', 'toString'])('shows the text %s literally', (text) => {
    const shown = listingDocument(listingWith(text), publicUrls);

    expect(shown).toContain(`<bdi>${text}</bdi> · <time`);
    expect(shown).not.toContain('[object Object]');
    expect(shown).not.toContain('native code');
  });

  it('links to https URLs, but not to ftp URLs', () => {
    const page = listingWith('https://example.com/robot');

    expect(listingDocument(page, publicUrls)).toContain(
      'href="https://example.com/robot" rel="nofollow noopener ugc"',
    );
    expect(listingDocument(listingWith('ftp://example.com'), publicUrls)).not.toContain('ftp://example.com"');
  });

  it('shows trust and confidence as two figures, with date, method and version', () => {
    const document = listingDocument(
      { ...listingWith('x'), score: { ...scoreWith('x'), methodVersion: 'rs-1.0.0' } },
      publicUrls,
    );

    expect(document).toMatch(/<dt>Trust<\/dt><dd[^>]*>31<\/dd>/);
    expect(document).toMatch(/<dt>Confidence<\/dt><dd[^>]*>11%<\/dd>/);
    expect(document).toContain('rs-1.0.0');
    expect(document).toContain('<code>2026-08-01T10:20:30.123456Z</code>');
    expect(document).toContain('1 Aug 2026');
  });

  it('shows the verdict above the figures: its mark, its word and its sentence', () => {
    const [, document = ''] = listingDocument(listingWith('x'), publicUrls).split('<main');

    const places = ['class="mark"', '>Warning<', 'Trust limited by the scoring method', '<dt>Trust</dt>'];
    const found = places.map((text) => document.indexOf(text));
    expect(found).toEqual(found.toSorted((a, b) => a - b));
    expect(found[0]).toBeGreaterThan(0);
  });

  it('shows its rank in its category, with the day of the count', () => {
    const page = listingWith('x');
    const standing = { percentile: 92, among: 410, countedAt: '2026-11-21T06:00:00.000000Z' };
    const record = { ...page.record, category: 'coding', standing } as const;

    const document = listingDocument({ ...page, record }, publicUrls);

    expect(document).toContain('above 92% of <bdi>coding</bdi> skills');
    expect(document).toMatch(/above 92% of 410 skills in <bdi>coding<\/bdi>, counted <time[^>]*>21 Nov 2026/);
    expect(listingDocument(page, publicUrls)).not.toContain('above');
  });

  it('says that a repository is a container, and shows the score of each part', () => {
    const page = listingWith('x');
    const record = {
      ...page.record,
      ...{ repositoryUrl: 'https://github.com/acme/servers', partCount: 2 },
      reasons: ['use_unknown' as const],
    };
    const parts = [
      { path: '/s/acme/servers/time', text: 'Time', description: '', trust: 44.2, confidence: 31.5 },
      { path: '/s/acme/servers/fetch', text: 'Fetch', description: '', trust: 29.1, confidence: 11.3 },
      { path: '/s/acme/servers/git', text: 'Git', description: '', trust: null, confidence: null },
    ];

    const document = listingDocument({ ...page, record, artifacts: parts }, publicUrls);

    expect(document).toContain('<span class="chip tag">container</span>');
    expect(document).toContain('<a href="#inside">2 known inside</a>');
    expect(document).toMatch(/Time<\/bdi><\/a> <span class="small muted">Trust 44 · Confidence 32%/);
    expect(document).toMatch(/Fetch<\/bdi><\/a> <span class="small muted">Not enough evidence/);
    expect(document).toMatch(/Git<\/bdi><\/a> <span class="small muted">No score yet/);
    expect(document).toContain('<b>2</b><span class="note">known inside</span>');
    // The reasons of the repository decide whether a part's score is a default, as on the part's own page.
    const licensed = { ...record, reasons: ['use_unknown', 'open_source'] } as const;
    expect(
      listingDocument(
        { ...page, record: { ...licensed, reasons: [...licensed.reasons] }, artifacts: parts },
        publicUrls,
      ),
    ).toMatch(/Fetch<\/bdi><\/a> <span class="small muted">Trust 29 · Confidence 11%/);
    expect(listingDocument(page, publicUrls)).not.toContain('>container<');
  });

  it('says that a repository is a container by its name or description, unless its parts prove it', () => {
    const page = listingWith('x');
    const textOf = (name: string, partCount: number, description: string) => {
      const record = {
        ...page.record,
        repositoryUrl: `https://github.com/acme/${name}`,
        partCount,
        description,
      };
      return listingDocument({ ...page, record }, publicUrls).replaceAll(/<[^>]*>/g, '');
    };

    expect(textOf('edgar-skills', 0, '')).toContain(
      'By its name, this repository collects several things. Its scores',
    );
    expect(textOf('edgar', 3, 'A collection of 20 skills')).toContain(
      'By its description, this repository collects several things: 3 known inside.',
    );
    expect(textOf('edgar', 30, '')).toContain('A repository that collects several things: 30 known inside.');
  });

  it('says whether the MCP registry names the repository, or only a list states its name there', () => {
    const page = listingWith('x');
    const textOf = (isInRegistry: boolean) => {
      const facts = { ...page.facts, mcpRegistryName: 'io.github.acme/robot', isInRegistry };
      return listingDocument({ ...page, facts }, publicUrls);
    };

    expect(textOf(true)).toContain('Its entry in the registry names this repository.');
    expect(textOf(false)).toContain('A list states this name. We have not read it in the registry.');
  });

  it('says below "Why" that the facts are about a whole container, an old name or a copy', () => {
    const page = listingWith('x');
    const whyOf = (changes: Partial<ListingPage>) => {
      const [, below = ''] = listingDocument({ ...page, ...changes }, publicUrls).split('<h2 id="why">');
      const [notes = ''] = below.split('<table');
      return notes.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');
    };
    const container = (partCount: number) => ({
      ...page.record,
      repositoryUrl: 'https://github.com/acme/servers',
      partCount,
    });
    const other = { path: '/s/acme/other', text: 'acme/other' };
    const none = { newest: null, original: null };

    expect(whyOf(none)).not.toContain('These facts');
    expect(whyOf({ ...none, record: container(13) })).toContain(
      'These facts are about the repository as a whole. Its 13 known parts have scores of their own.',
    );
    expect(whyOf({ ...none, record: container(0) })).toContain(
      'as a whole, not about one of the things that it collects.',
    );
    expect(whyOf({ newest: { ...other, stated: false } })).toContain(
      'about what is probably an old name. The present name, acme/other, has a score of its own.',
    );
    expect(whyOf({ newest: null, original: { ...other, stated: true } })).toContain(
      'about a copy. Its original, acme/other, has a score of its own.',
    );
  });

  it('says how many lists name it, if nothing else is known', () => {
    const documentOf = (lists: number) => {
      const facts = repositoryFacts({ lists: observation(lists) });
      const bare = { ...scoreWith('x'), caps: [], contributions: UNSEEN, facts };
      return listingDocument({ ...listingWith('x'), score: bare }, publicUrls);
    };

    expect(documentOf(1)).toContain('Only facts: named by one list.');
    expect(documentOf(4)).toContain('Only facts: named by 4 lists.');
    expect(listingDocument(listingWith('x'), publicUrls)).not.toContain('Only facts');
  });

  it('also names the few facts behind figures of low confidence', () => {
    const facts = repositoryFacts({ lists: observation(1), license: observation('MIT') });
    const { contributions } = scoreByMethod(scoreRequest(facts));
    const document = (confidence: number) =>
      listingDocument(
        { ...listingWith('x'), score: { ...scoreWith('x'), caps: [], contributions, facts, confidence } },
        publicUrls,
      );

    expect(document(11.9)).toContain('Only facts: named by one list, licence (MIT).');
    expect(document(12)).not.toContain('Only facts');
  });

  it('names the missing fact that would move confidence most, unless confidence is high', () => {
    const wanted = 'What would move confidence most: <bdi>last commit</bdi>';
    const bare = { ...scoreWith('x'), caps: [], contributions: UNSEEN };
    const archived = { ...bare, caps: [{ cap: 'archived', limit: 40, raw: 60, final: 40 }] };

    expect(listingDocument({ ...listingWith('x'), score: bare }, publicUrls)).toContain(wanted);
    expect(listingDocument({ ...listingWith('x'), score: archived }, publicUrls)).toContain(wanted);
    expect(
      listingDocument({ ...listingWith('x'), score: { ...bare, confidence: 60 } }, publicUrls),
    ).not.toContain('What would move confidence most');
  });

  it('says that there is not enough evidence instead of default figures', () => {
    const bare = { ...scoreWith('x'), caps: [], contributions: UNSEEN };
    const page = listingWith('x');
    const card = { ...page.creator, trust: 35, confidence: 0, lowerBound: 4, restsOnDefaults: true };

    const document = listingDocument({ ...page, score: bare, creator: card }, publicUrls);

    expect(document).toContain('>Not enough evidence');
    expect(document).not.toContain('<dt>Trust</dt>');
    expect(document).toContain('Not enough evidence, as of');
    expect(document).toMatch(/There is not enough evidence for a chart.*Scored/s);
    expect(document).not.toContain('class="plot"');
    expect(document).toMatch(/<dt>Creator&?[^<]*trust<\/dt><dd[^>]*>not enough evidence<\/dd>/);
    expect(document).not.toMatch(/<dd[^>]*>(35|0%)<\/dd>/);
  });

  it('invites owners to claim unclaimed listings only', () => {
    const page = listingWith('x');
    const claimed = { ...page, record: { ...page.record, verified: true } };

    expect(listingDocument(page, publicUrls)).toMatch(/Is it yours\?.*Not claimed by its owner.*Claim it/s);
    expect(listingDocument(claimed, publicUrls)).not.toContain('Is it yours?');
  });

  it('shows the badge on light and dark backgrounds, with code to paste', () => {
    const document = listingDocument(listingWith('x'), publicUrls);

    const [light = '', dark = ''] = [
      ...document.matchAll(/<p class="on-(?:light|dark)">(<svg.*?<\/svg>)/g),
    ].map(([, svg]) => svg);
    expect(light).toContain('>31 · warning</text>');
    expect(dark).toBe(light);
    expect(document).toContain('<pre>[![trust](https://trust.example/badge/skill/AGT-0A1B2C3D.svg)](https');
  });

  it('shows the install command, or links to the repository without a package', () => {
    const page = listingWith('x');
    const facts = { ...page.facts, npmPackage: '@acme/robot', isNpmConfirmed: true, pypiPackage: null };

    expect(listingDocument({ ...page, facts }, publicUrls)).toContain('<pre>npm install @acme/robot</pre>');
    const unconfirmed = listingDocument({ ...page, facts: { ...facts, isNpmConfirmed: false } }, publicUrls);
    expect(unconfirmed).not.toContain('<pre>npm install');
    expect(unconfirmed).toMatch(/Named by a list: the npm package .*@acme\/robot/);
    const unknown = { ...page, facts: { ...facts, npmPackage: null, otherPackages: [] } };
    expect(listingDocument(unknown, publicUrls)).toContain('We know of no package');
  });

  it('says which version was read and when, and which package its registry does not have', () => {
    const page = listingWith('x');
    const npm = { version: '1.2.3', isDeprecated: true, readAt: '2026-08-22T05:00:00Z' };
    const facts = {
      ...page.facts,
      ...{ npmPackage: 'robot', isNpmConfirmed: true, published: { npm } },
      ...{ pypiPackage: 'no-robot', isPypiConfirmed: false, isPypiMissing: true },
      otherPackages: [
        { registry: 'oci', name: 'ghcr.io/acme/robot', isConfirmed: true },
        { registry: 'nuget', name: 'Acme.Robot', isConfirmed: false },
      ],
    };

    const text = listingDocument({ ...page, facts }, publicUrls).replace(/<[^>]+>/g, '');

    expect(text).toContain('npm install robot@1.2.3');
    expect(text).toContain(
      'Latest version on npm: 1.2.3, read 22 Aug 2026. Its maintainers have deprecated it.',
    );
    expect(text).toContain('Named by a list, not in the registry: the PyPI package no-robot.');
    expect(text).toContain('Named by the owner in the MCP registry: OCI image ghcr.io/acme/robot.');
    expect(text).toContain('Named in the MCP registry: NuGet package Acme.Robot. We have not confirmed');
    expect(text).not.toMatch(/pip install|docker/);
  });

  it('draws no chart if trust is constant', () => {
    const [before, now] = scoreWith('x').history;
    const flat = {
      ...scoreWith('x'),
      // Only the lower bound differs. Trust is constant, so there must be no chart.
      history: [
        { ...now, lowerBound: (now?.lowerBound ?? 0) - 5 },
        { ...now, version: '2026-08-02T00:00:00Z' },
      ],
    } as ScoreDetail;

    const document = listingDocument({ ...listingWith('x'), score: flat }, publicUrls);

    expect(document).toMatch(
      /Scored 2 times since <time[^>]*>1 Aug 2026<\/time>, each time with trust \d+\./,
    );
    expect(document).not.toContain('class="plot"');
    const moved = { ...flat, history: [{ ...now, trust: (before?.trust ?? 0) + 1 }, now] } as ScoreDetail;
    expect(listingDocument({ ...listingWith('x'), score: moved }, publicUrls)).toContain('class="plot"');
  });

  it('says that a score is missing, and never shows 0 instead', () => {
    const document = listingDocument({ ...listingWith('x'), score: null }, publicUrls);

    expect(document).toContain('No confirmed score yet');
    expect(document).not.toMatch(/>0(\.0)?</);
  });

  it('marks an edge as claimed until it is acknowledged', () => {
    const page = listingWith('x');
    const acknowledged = { ...page.ownEntry, acknowledged: true };

    expect(listingDocument(page, publicUrls)).toContain('claimed');
    const document = listingDocument({ ...page, ownEntry: acknowledged, descendants: [] }, publicUrls);
    expect(document).toContain('x, acknowledged, passes on 30.6');
  });

  it("states the date of the repository's figures, above and in the card, if it is known", () => {
    const page = listingWith('x');
    const undated = { ...page, facts: { ...page.facts, figuresAt: null } };

    const document = listingDocument(page, publicUrls);

    expect(document).toMatch(
      /class="quick".*<\/ul><p class="note">Repository figures stated by <bdi>x<\/bdi> on <time[^>]*>20 Aug 2026</s,
    );
    expect(document).toMatch(/id="repository".*<dt>Figures as of<\/dt><dd[^>]*><time[^>]*>20 Aug 2026</s);
    expect(listingDocument(undated, publicUrls)).not.toMatch(/figures as of/i);
  });

  it('dates the stars, and distinguishes figures that were read from those that a list states', () => {
    const page = listingWith('x');
    const read = { ...page, facts: { ...page.facts, host: 'github.com', isRead: true } };

    const stated = listingDocument(page, publicUrls);

    expect(stated).toMatch(/<b>1,234<\/b><span class="note">stars on 20 Aug 2026<\/span>/);
    expect(stated).toMatch(/stated by <bdi>x<\/bdi>.*, not read from x here\./);
    expect(listingDocument(read, publicUrls)).toMatch(
      /Repository figures read from github\.com on <time[^>]*>20 Aug 2026<\/time>\./,
    );
  });

  it('states that this server does not refresh figures, only if that is so', () => {
    const page = listingWith('x');
    const sentence = 'This directory does not refresh them by itself.';

    expect(listingDocument({ ...page, isRefreshed: false }, publicUrls)).toContain(sentence);
    expect(listingDocument({ ...page, isRefreshed: true }, publicUrls)).not.toContain(sentence);
  });

  it('shows what was observed in one section, each fact with its source and day', () => {
    const facts = (observed: ListingPage['observed']) =>
      listingDocument({ ...listingWith('x'), observed }, publicUrls);
    const observedAt = '2026-08-22T06:00:00Z';
    const common = { source: 'github.com', url: 'https://github.com/acme/robot', observedAt };

    const document = facts([
      { ...common, fact: 'releases', value: { count: 1_234, latestAt: '2026-08-01T00:00:00Z' } },
      { ...common, fact: 'contributors', value: { count: 34 } },
      { ...common, fact: 'security_policy', value: { present: false } },
      { ...common, fact: 'owner_account', value: { kind: 'organisation', createdAt: null } },
      { ...common, fact: 'manifest', value: { packages: [] } },
      { ...common, fact: 'scorecard', value: { score: 6, ranAt: null }, url: 'javascript:alert(1)' },
    ]);

    const section = /<section[^>]*aria-labelledby="observed">.*?<\/section>/s.exec(document)?.[0] ?? '';
    expect(section.match(/<dt>/g)).toHaveLength(6);
    expect(section).toContain('1,234, latest 1 Aug 2026');
    for (const text of ['34 ', 'none found', 'organisation ', '6.0 of 10']) expect(section).toContain(text);
    expect(section.match(/>22 Aug 2026<\/time>/g)).toHaveLength(6);
    expect(section).toContain('href="https://github.com/acme/robot"');
    expect(section).not.toContain('javascript:');
    expect(facts([])).not.toContain('id="observed"');
  });

  it('states next to the figures what the score is based on', () => {
    const document = listingDocument(listingWith('x'), publicUrls);

    expect(document).toMatch(/<dt>Trust<\/dt>.*Score basis – warning: 1 of 2 signals known/s);
  });

  it('declares language, title, viewport and canonical URL', () => {
    const document = listingDocument(listingWith('Robot'), publicUrls);

    expect(document).toMatch(/^<!doctype html><html lang="en"><head><meta charset="utf-8"/);
    expect(document).toContain('<title>Robot · Trust Directory</title>');
    expect(document).toContain('name="viewport"');
    expect(document).toContain('<link rel="canonical" href="https://trust.example/s/acme/robot"/>');
  });
});
