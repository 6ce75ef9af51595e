import { describe, expect, it } from 'vitest';
import { listingWith, packageFactsWith } from '../../../../testing/pages/pages-with.ts';
import { createPublicUrls } from '../../../catalog/subjects/public-path.ts';
import type { PackageStanding } from '../../../scoring/fact-types.ts';
import { listingDocument } from './listing.page.tsx';
import type { PackageFacts } from './versions-section.tsx';

const publicUrls = createPublicUrls('https://trust.example');
const NOTHING = { package_standing: null, package_advisories: null, published_package: null };
const URL = 'https://osv.dev/vulnerability/MAL-2026-4147';

/** Creates facts of a package with two hijacked versions, modelled on real records. */
function hijacked(change: Partial<PackageStanding> = {}) {
  const at = '2026-08-20T06:00:00Z';
  const facts = packageFactsWith('mcp-mermaid');
  const value = {
    ecosystem: 'npm',
    name: 'mcp-mermaid',
    version: '0.7.0',
    published: 'not_affected',
    everyVersion: false,
    malwareVersions: ['0.5.1', '0.6.1'],
    soundSince: '2026-08-01T00:00:00.000Z',
    isResearch: false,
    vulnerabilities: [],
    advisoryIds: ['MAL-2026-4147'],
    disputedVersions: [],
    ...change,
  } as const;
  const advisory = {
    id: 'MAL-2026-4147',
    source: 'OpenSSF Malicious Packages',
    url: URL,
    summary: 'Malicious code in mcp-mermaid (npm)',
    category: 'malware',
    severity: null,
    affected: ['0.5.1', '0.6.1'],
    disputes: [],
  };
  return {
    ...facts,
    package_standing: { at, value },
    package_advisories: { at, value: { advisories: [advisory] } },
  };
}

function documentOf(packageFacts: PackageFacts, secrets: string[] = []) {
  const page = listingWith('x');
  const declared = page.facts.declared && { ...page.facts.declared, secrets };
  const score = page.score && { ...page.score, factsAt: '2026-08-20T00:00:00Z' };
  return listingDocument({ ...page, score, facts: { ...page.facts, packageFacts, declared } }, publicUrls);
}

describe('the page of a listing whose package had malware', () => {
  it('shows each version with its standing, and the summary, source and time of the judgement', () => {
    const document = documentOf(hijacked());

    expect(document).toMatch(
      /<th scope="row"[^>]*><bdi>0\.7\.0<\/bdi> <span[^>]*>latest<\/span><\/th>.*?not affected/s,
    );
    for (const version of ['0.5.1', '0.6.1'])
      expect(document).toMatch(
        new RegExp(
          `<bdi>${version}</bdi></th>.*?>malware</b>.*?Malicious code in mcp-mermaid \\(npm\\)`,
          's',
        ),
      );
    expect(document).toContain(`href="${URL}"`);
    expect(document).toContain('OpenSSF Malicious Packages');
    expect(document).toMatch(/judged <time[^>]*>20 Aug 2026/);
  });

  it('links the verdict to the versions and to the steps to take, which name the declared secrets', () => {
    const document = documentOf(hijacked(), ['CHARTS_API_KEY']);

    expect(document).toContain('<a href="#versions">Which versions</a>');
    expect(document).toContain('<a href="#ran-them">What to do if you ran them</a>');
    expect(document).toMatch(/id="ran-them".*npm install mcp-mermaid@0\.7\.0.*CHARTS_API_KEY/s);
  });

  it('states until when the Warning stays, and omits this after that time', () => {
    expect(documentOf(hijacked())).toMatch(/The Warning stays until <time[^>]*>30 Oct 2026/);
    expect(documentOf(hijacked({ soundSince: '2026-01-01T00:00:00.000Z' }))).not.toContain(
      'The Warning stays',
    );
  });

  it('says that no sound version is known if the published one has malware or was not read', () => {
    for (const change of [
      { published: 'malware', version: '0.6.1' },
      { published: 'unread', version: null },
    ] as const)
      expect(documentOf(hijacked(change))).toContain('We know of no sound version');
    expect(documentOf(hijacked({ published: 'unread', version: null }))).toContain(
      'The published version of npm:mcp-mermaid was not read',
    );
  });

  it('shows a dispute with the version and with the advisory', () => {
    const facts = hijacked({ disputedVersions: ['0.6.1'] });
    const dispute = { versions: ['0.6.1'], reason: 'it was ours', url: 'https://example.com/dispute' };
    for (const each of facts.package_advisories.value.advisories)
      Object.assign(each, { disputes: [dispute] });

    const document = documentOf(facts);

    expect(document).toMatch(/<bdi>0\.6\.1<\/bdi><\/th>.*?malware<\/b>, disputed/s);
    expect(document).toMatch(/Disputed for <bdi>0\.6\.1<\/bdi>.*href="https:\/\/example\.com\/dispute"/s);
  });
});

describe('the page of a listing', () => {
  it('labels a proof of concept of researchers, and shows no steps for people who ran it', () => {
    const facts = hijacked({ isResearch: true });
    for (const each of facts.package_advisories.value.advisories)
      Object.assign(each, { category: 'research_poc', summary: 'Proof of concept' });

    const [, versions = ''] = documentOf(facts).split('id="versions"');
    const [section = ''] = versions.split('</section>');

    expect(section).toContain('proof of concept of researchers');
    expect(section).not.toContain('malware</b>');
    expect(documentOf(facts)).not.toContain('id="ran-them"');
  });

  it('shows open vulnerabilities with severity and fix', () => {
    const vulnerabilities = [{ id: 'MAL-2026-4147', severity: 'high', fixedIn: '0.8.0' }] as const;
    const document = documentOf(hijacked({ malwareVersions: [], vulnerabilities }));

    expect(document).toContain('1 vulnerability');
    expect(document).toContain('fixed in 0.8.0');
    expect(document).not.toContain('id="ran-them"');
  });

  it('names advisories that may affect a published version that was not read', () => {
    const facts = {
      ...hijacked({
        ...{ version: null, published: 'unread', malwareVersions: [] },
        advisoryIds: ['PYSEC-1', 'PYSEC-2'],
      }),
      package_advisories: null,
    };
    const text = (each: Parameters<typeof documentOf>[0]) => documentOf(each).replaceAll(/<[^>]*>/g, '');
    const one = { ...facts.package_standing.value, advisoryIds: ['PYSEC-1'] };
    const read = { ...facts.package_standing.value, version: '1.0.0', published: 'not_affected' } as const;

    expect(text(facts)).toContain(
      '2 advisories name versions of it: PYSEC-1, PYSEC-2. We do not know whether they affect',
    );
    expect(text(facts)).not.toContain('We know of no advisory');
    expect(documentOf(facts)).toContain('href="/api/packages?package=npm%3Amcp-mermaid"');
    expect(text({ ...facts, package_standing: { ...facts.package_standing, value: one } })).toContain(
      '1 advisory names versions of it: PYSEC-1',
    );
    expect(text({ ...facts, package_standing: { ...facts.package_standing, value: read } })).toContain(
      'We know of no advisory that affects the published version.',
    );
  });

  it('shows the fix of a vulnerability in the other of two packages', () => {
    const other: PackageStanding = {
      ...hijacked().package_standing.value,
      ...{
        ecosystem: 'pypi' as const,
        name: 'robot',
        malwareVersions: [],
        advisoryIds: ['PYSEC-1', 'PYSEC-2'],
      },
      vulnerabilities: [{ id: 'PYSEC-1', severity: 'high', fixedIn: '0.8.0' }],
    };
    const facts = hijacked({ others: [other] });
    const [advisory] = facts.package_advisories.value.advisories;
    if (advisory === undefined) throw new Error('the facts have an advisory');
    facts.package_advisories.value.advisories.push({ ...advisory, id: 'PYSEC-1', category: 'vulnerability' });

    const document = documentOf(facts).replaceAll(/<[^>]*>/g, '');

    expect(document).toContain('fixed in 0.8.0');
    expect(document).toContain(
      '1 more, about other versions or of lower severity: all about npm:mcp-mermaid',
    );
  });

  it('has neither versions nor advice without a confirmed package', () => {
    const document = documentOf(NOTHING);

    for (const text of ['id="versions"', 'id="ran-them"', 'Which versions'])
      expect(document).not.toContain(text);
  });

  it('says that no secrets are declared, or that they are not known, if the entry declares no way to run it', () => {
    const page = listingWith('x');
    const textOf = (runsLocally: boolean) => {
      const declared = page.facts.declared && {
        ...page.facts.declared,
        secrets: [],
        remoteHosts: [],
        runsLocally,
      };
      const document = listingDocument({ ...page, facts: { ...page.facts, declared } }, publicUrls);
      return document
        .slice(document.indexOf('id="asks-for"'))
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/\s+/g, ' ');
    };

    expect(textOf(true)).toMatch(
      /Secrets none declared Runs on your machine As declared in the MCP registry for/,
    );
    expect(textOf(false)).toMatch(/Secrets not known Runs not known/);
  });

  it('shows what a server asks for, as declared, and nothing without an entry of its owner', () => {
    const document = documentOf(NOTHING, ['CHARTS_API_KEY', 'OTHER']);
    const page = listingWith('x');

    expect(document).toMatch(
      /What it asks for.*CHARTS_API_KEY, OTHER.*on your machine or on remote hosts.*Not observed by us/s,
    );
    expect(listingDocument({ ...page, facts: { ...page.facts, declared: null } }, publicUrls)).not.toContain(
      'What it asks for',
    );
  });
});
