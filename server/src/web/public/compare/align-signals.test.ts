import { describe, expect, it } from 'vitest';
import type { Contribution } from '../../../scoring/scoring-backend.ts';
import type { ScoreDetail } from '../score/score-detail.queries.ts';
import { alignSignals } from './align-signals.ts';
import type { ComparedSubject } from './compare.page.tsx';

function contribution(signal: string, weight: number, value: number | null): Contribution {
  const status = value === null ? 'missing' : 'observed';
  return {
    signal,
    weight,
    value,
    status,
    points: 1,
    source: null,
    evidence: 1,
    observedAt: null,
    reason: value === null ? 'not stated' : null,
  };
}

function column(contributions: Contribution[] | null): ComparedSubject {
  const score =
    contributions && ({ contributions, caps: [], tier: 'low', facts: null } as unknown as ScoreDetail);
  return { subject: { type: 'agent' } as ComparedSubject['subject'], record: null, score };
}

const seenOn = (observedAt: string) => ({ value: 7, observedAt, source: 'test' });

function columnOf(facts: object): ComparedSubject {
  const { subject, score } = column([]);
  return {
    subject,
    record: null,
    score: { ...score, facts: { parents: [], ...facts } } as unknown as ScoreDetail,
  };
}

describe('aligned signals', () => {
  it('are ordered by weight, and separate from rows that are the same for all', () => {
    const one = column([contribution('stars', 10, 0.9), contribution('forks', 5, 0.5)]);
    const other = column([
      contribution('forks', 5, 0.5),
      contribution('license', 8, 1),
      contribution('stars', 10, 0.1),
    ]);

    const { differing, alike } = alignSignals([one, other]);

    expect(differing.map(({ name, cells }) => [name, ...cells.map(({ value }) => value)])).toEqual([
      ['Stars', 0.9, 0.1],
      ['Licence', null, 1],
    ]);
    expect(alike.map(({ name }) => name)).toEqual([
      'Forks',
      'Type',
      'Category',
      'Tags',
      'Tier',
      'Score caps',
    ]);
  });

  it("include the day on which each column's figures were read", () => {
    const none = { stars: null, forks: null, openIssues: null, lastCommitAt: null, monthlyDownloads: null };
    const columns = [
      columnOf({ ...none, stars: seenOn('2026-08-20T06:00:00Z') }),
      columnOf({
        ...none,
        forks: seenOn('2026-08-22T06:00:00Z'),
        monthlyDownloads: seenOn('2026-08-23T06:00:00Z'),
      }),
      columnOf(none),
    ];

    const row = alignSignals(columns).differing.find(({ name }) => name === 'Repository figures as of');

    expect(row?.cells.map(({ seen, reason }) => seen ?? reason)).toEqual([
      '20 Aug 2026',
      '22 Aug 2026; downloads 23 Aug 2026',
      'not known',
    ]);
  });

  it('differ if values are missing for different reasons', () => {
    const columns = [column([contribution('lineage', 10, null)]), column([])];

    const { differing, alike } = alignSignals(columns);

    expect(differing.map(({ cells }) => cells.map(({ reason }) => reason))).toEqual([
      ['not fetched yet', 'not part of its score'],
    ]);
    expect(alike.map(({ name }) => name)).not.toContain('Lineage');
  });

  it("explain a missing value: not fetched and not stated as on the subject's page, not part of its score, no score", () => {
    const read = { ...contribution('forks', 5, 0.5), source: 'github.com' };
    const record = { creatorHost: 'github.com', tags: [] } as unknown as ComparedSubject['record'];
    const columns = [
      column([contribution('stars', 10, null)]),
      { ...column([contribution('stars', 10, null), read]), record },
      column([]),
      column(null),
    ];

    const [stars] = alignSignals([...columns, column([contribution('stars', 10, 0.4)])]).differing;

    expect(stars?.cells).toEqual([
      { seen: null, value: null, reason: 'not fetched yet' },
      { seen: null, value: null, reason: 'not stated' },
      { seen: null, value: null, reason: 'not part of its score' },
      { seen: null, value: null, reason: 'no score yet' },
      { seen: '40 of 100', value: 0.4, reason: null },
    ]);
  });
});
