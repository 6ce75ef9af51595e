import { describe, expect, it } from 'vitest';
import { expectHarmless, HOSTILE } from '../../testing/pages/harmless.ts';
import type { AgentRecord } from '../directory/agent-record.ts';
import type { LineageEntry } from '../directory/get-agent-lineage.ts';
import { DomainError } from '../domain-error.ts';
import { createNaming } from '../subjects/naming.ts';
import { cardSvg } from './badge/card.tsx';
import { creatorDocument, listDocument, problemDocument, subjectDocument } from './documents.tsx';
import { readPageQuery } from './home/page-query.ts';
import type { ArtifactPage, CreatorCard, CreatorPage, ListingPage } from './page-data.ts';
import type { ScoreDetail } from './score/score-detail.ts';

const naming = createNaming('https://trust.example');

function recordWith(text: string): AgentRecord {
  return {
    subjectId: 's1',
    creatorId: 'c1',
    agentId: 'AGT-0A1B2C3D',
    type: 'skill',
    name: text,
    description: text,
    category: text,
    tags: [text, `${text} `],
    repositoryUrl: text,
    stars: 1234,
    forks: null,
    openIssues: null,
    lastCommitAt: new Date('2026-05-01T10:00:00Z'),
    verified: false,
    trust: 31.1,
    confidence: 11.3,
    tier: 'low',
    scoreVersion: '2026-11-20T09:14:03.482915Z',
    listedAt: new Date('2026-01-01T00:00:00Z'),
    updatedAt: new Date('2026-02-01T00:00:00Z'),
    creatorHost: 'github.com',
    creatorHandle: text,
    creatorDisplayName: text,
    creatorVerified: false,
    creatorTrust: null,
    creatorConfidence: null,
  };
}

function scoreWith(text: string): ScoreDetail {
  const seen = {
    value: 0.5,
    weight: 12,
    points: 3.2,
    evidence: 1,
    status: 'observed',
    reason: null,
  } as const;
  return {
    trust: 31.1,
    confidence: 11.3,
    lowerBound: 12,
    tier: 'low',
    status: text,
    source: text,
    methodVersion: text,
    version: '2026-08-01T10:20:30.123456Z',
    freshness: '2026-07-01T00:00:00.000000Z',
    contributions: [
      { ...seen, signal: text, source: text, observedAt: '2026-07-01T00:00:00Z' },
      {
        ...seen,
        signal: 'license',
        status: 'missing',
        value: null,
        points: 0,
        source: null,
        observedAt: null,
        reason: text,
      },
    ],
    caps: [{ cap: text, limit: 40, raw: 60, final: 40 }],
    coverage: 0.5,
    facts: null,
    readAt: '2026-08-03T10:20:30.123456Z',
    history: ['2026-07-01T00:00:00Z', '2026-08-01T10:20:30.123456Z'].map((version) => ({
      version,
      trust: 31.1,
      confidence: 11.3,
      lowerBound: 12,
      method: version < '2026-08' ? 'former' : text,
    })),
    historyLength: 2,
  };
}

function listingWith(text: string): ListingPage {
  const record = recordWith(text);
  const entry: LineageEntry = {
    record,
    parentId: text,
    relation: text,
    acknowledged: false,
    trustEquityFlow: 30.6,
  };
  const link = { path: '/a/id/AGT-0A1B2C3D', text };
  return {
    kind: 'listing',
    subject: {
      id: 's1',
      type: 'skill',
      name: text,
      repository: text,
      publicPath: '/s/acme/robot',
      agentId: 'AGT-0A1B2C3D',
      source: text,
      sourceId: 'r1',
    },
    record,
    homepage: text,
    license: text,
    creator: creatorCardWith(text),
    formerCreators: [{ path: '/c/before', text, until: '2026-06-01T00:00:00Z' }],
    score: scoreWith(text),
    own: entry,
    ancestors: [{ entry, link }],
    descendants: [{ entry, link }],
    moreDescendants: true,
    artifacts: [{ ...link, description: text }],
  };
}

function creatorCardWith(text: string): CreatorCard {
  return {
    path: '/c/acme',
    text,
    handle: text,
    host: text,
    verified: true,
    trust: 1,
    confidence: 1,
    lowerBound: 0,
    proved: [{ kind: 'repo_host', host: text, handle: text, checkedAt: '2026-07-01T00:00:00Z' }],
  };
}

function artifactWith(text: string): ArtifactPage {
  const { subject, creator, score } = listingWith(text);
  return {
    kind: 'artifact',
    subject,
    description: text,
    path: text,
    home: creator,
    repositoryUrl: text,
    creator,
    score,
  };
}

function creatorWith(text: string): CreatorPage {
  const score = scoreWith(text);
  const listed = {
    record: recordWith(text),
    path: '/s/acme/robot',
    creator: { path: '/c/acme', text },
    lowerBound: 12,
  };
  return {
    identity: {
      id: 'c1',
      host: text,
      handle: text,
      publicHandle: text,
      displayName: text,
      verified: true,
      trust: 1,
      confidence: 1,
      tier: 'low',
      scoreVersion: score.version,
      provedKinds: ['repo_host'],
      listingCount: 200,
      publicPath: '/c/acme',
      trustEquity: 15.6,
    },
    score,
    proved: creatorCardWith(text).proved,
    listings: [listed],
    offset: 0,
  };
}

describe('documents', () => {
  it.each(HOSTILE)('never let %j in any field become markup, a handler or a link that runs', (text) => {
    const list = readPageQuery({ q: text });

    expectHarmless(subjectDocument(listingWith(text), naming));
    expectHarmless(subjectDocument(artifactWith(text), naming));
    expectHarmless(creatorDocument(creatorWith(text), naming));
    expectHarmless(listDocument(list, creatorWith(text).listings, 999, [], naming));
    expectHarmless(cardSvg({ kind: text, name: text, path: '/a/x/y' }, null));
    const candidate = { canonical_id: 'x', type: text, name: text, repository: text, public_path: '/s/a/b' };
    expectHarmless(problemDocument(new DomainError('subject_ambiguous', text, { candidates: [candidate] })));
  });

  it('show a hostile text as it is, so that a reader sees what was written', () => {
    const document = subjectDocument(listingWith('<b>bold</b>'), naming);

    expect(document).toContain('<bdi>&lt;b>bold&lt;/b></bdi>');
  });

  it.each(['constructor', '__proto__', 'toString'])('show %s as the word that it is', (text) => {
    const shown = subjectDocument(listingWith(text), naming);

    expect(shown).toContain(`<bdi>${text}</bdi>, <time`);
    expect(shown).not.toContain('[object Object]');
    expect(shown).not.toContain('native code');
  });

  it('link to a web address of somebody else, and only to one', () => {
    const page = listingWith('https://example.com/robot');

    expect(subjectDocument(page, naming)).toContain(
      'href="https://example.com/robot" rel="nofollow noopener ugc"',
    );
    expect(subjectDocument(listingWith('ftp://example.com'), naming)).not.toContain('ftp://example.com"');
  });

  it('show trust and confidence as two figures, with date, method and version', () => {
    const document = subjectDocument(
      { ...listingWith('x'), score: { ...scoreWith('x'), methodVersion: 'rs-1.0.0' } },
      naming,
    );

    expect(document).toMatch(/<dt>Trust<\/dt><dd[^>]*>31\.1<\/dd>/);
    expect(document).toMatch(/<dt>Confidence<\/dt><dd[^>]*>11\.3<\/dd>/);
    expect(document).toContain('rs-1.0.0');
    expect(document).toContain('<code>2026-08-01T10:20:30.123456Z</code>');
    expect(document).toContain('1 Aug 2026');
  });

  it('say that a score is missing and never show 0 in its place', () => {
    const document = subjectDocument({ ...listingWith('x'), score: null }, naming);

    expect(document).toContain('No confirmed score yet');
    expect(document).not.toMatch(/>0(\.0)?</);
  });

  it('say of an edge that it is claimed, until it is acknowledged', () => {
    const page = listingWith('x');
    const acknowledged = { ...page.own, acknowledged: true };

    expect(subjectDocument(page, naming)).toContain('claimed');
    const document = subjectDocument({ ...page, own: acknowledged, descendants: [] }, naming);
    expect(document).toContain('x, acknowledged, passes on 30.6');
  });

  it('tell language, title, width and their one address', () => {
    const document = subjectDocument(listingWith('Robot'), naming);

    expect(document).toMatch(/^<!doctype html><html lang="en"><head><meta charset="utf-8"/);
    expect(document).toContain('<title>Robot · Trust Directory</title>');
    expect(document).toContain('name="viewport"');
    expect(document).toContain('<link rel="canonical" href="https://trust.example/s/acme/robot"/>');
  });

  it('never call anything safe or secure', () => {
    const documents = [subjectDocument(listingWith('x'), naming), creatorDocument(creatorWith('x'), naming)];

    for (const document of documents) expect(document).not.toMatch(/\b(safe|secure)\b/i);
  });

  it('lead to the pages before and after with the same filters', () => {
    const list = readPageQuery({ q: 'a&b', page: '2' });

    const document = listDocument(list, creatorWith('x').listings, 99, [], naming);

    expect(document).toContain('rel="prev" href="/?q=a%26b">');
    expect(document).toContain('rel="next" href="/?q=a%26b&amp;page=3">');
  });

  it('lead back from beyond the last page, and number no page that is not there', () => {
    const document = listDocument(readPageQuery({ page: '9' }), [], 54, [], naming);

    expect(document).toContain('<a href="/">see its first page</a>');
    expect(document).not.toMatch(/rel="(?:prev|next)"|Page 9/);
  });

  it('say what to do where nothing matches', () => {
    expect(listDocument(readPageQuery({ q: 'zzz' }), [], 0, [], naming)).toContain(
      'Try fewer words or filters',
    );
  });
});
