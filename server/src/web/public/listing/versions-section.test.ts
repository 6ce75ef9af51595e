import { describe, expect, it } from 'vitest';
import { listingWith, packageFactsWith } from '../../../../testing/pages/pages-with.ts';
import { createPublicUrls } from '../../../catalog/subjects/public-path.ts';
import type { PackageStanding } from '../../../scoring/fact-types.ts';
import { listingDocument } from './listing.page.tsx';

const publicUrls = createPublicUrls('https://trust.example');
const NOTHING = { package_standing: null, package_advisories: null, published_package: null };
const URL = 'https://osv.dev/vulnerability/MAL-2026-4147';

/** Creates facts of a package of which two versions were hijacked, as real records describe it. */
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

function documentOf(packageFacts: ReturnType<typeof hijacked> | typeof NOTHING, secrets: string[] = []) {
  const page = listingWith('x');
  const declared = page.facts.declared && { ...page.facts.declared, secrets };
  const score = page.score && { ...page.score, factsAt: '2026-08-20T00:00:00Z' };
  return listingDocument({ ...page, score, facts: { ...page.facts, packageFacts, declared } }, publicUrls);
}

describe('the page of a listing whose package had malware', () => {
  it('names each version with its standing, what happened, the source and the time of the judgement', () => {
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

  it('leads from the verdict to the versions and to what to do, with the declared secrets', () => {
    const document = documentOf(hijacked(), ['CHARTS_API_KEY']);

    expect(document).toContain('<a href="#versions">Which versions</a>');
    expect(document).toContain('<a href="#ran-them">What to do if you ran them</a>');
    expect(document).toMatch(/id="ran-them".*npm install mcp-mermaid@0\.7\.0.*CHARTS_API_KEY/s);
  });

  it('says until when the Warning stays, and nothing of it later', () => {
    expect(documentOf(hijacked())).toMatch(/The Warning stays until <time[^>]*>30 Oct 2026/);
    expect(documentOf(hijacked({ soundSince: '2026-01-01T00:00:00.000Z' }))).not.toContain(
      'The Warning stays',
    );
  });

  it('knows no sound version where the published one has malware or was not read', () => {
    for (const change of [
      { published: 'malware', version: '0.6.1' },
      { published: 'unread', version: null },
    ] as const)
      expect(documentOf(hijacked(change))).toContain('We know of no sound version');
    expect(documentOf(hijacked({ published: 'unread', version: null }))).toContain(
      'The published version of npm:mcp-mermaid was not read',
    );
  });

  it('shows a dispute beside the version and the advisory', () => {
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
  it('calls a proof of concept of researchers so, and gives no advice as for malware', () => {
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

  it('has neither versions nor advice without a confirmed package', () => {
    const document = documentOf(NOTHING);

    for (const text of ['id="versions"', 'id="ran-them"', 'Which versions'])
      expect(document).not.toContain(text);
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
