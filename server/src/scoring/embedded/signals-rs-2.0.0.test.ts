import { describe, expect, it } from 'vitest';
import { contributionOf } from '../../../testing/scoring/contribution-of.ts';
import { record } from '../../../testing/scoring/document-vectors.ts';
import {
  daysAgo,
  observation,
  repositoryFacts,
  scoreRequest,
} from '../../../testing/scoring/golden-vectors.ts';
import type { RepositoryFacts } from '../fact-types.ts';
import { scoreByMethod } from './embedded-backend.ts';
import { RS_2_0_0 } from './method-rs-2.0.0.ts';

function evidenceOf(signal: string, known: Partial<RepositoryFacts>) {
  return contributionOf(scoreByMethod(scoreRequest(repositoryFacts(known)), RS_2_0_0), signal);
}

const STATED = { observed: [record('stated_status', { status: 'archived', since: null })] };

describe('the age of an observation', () => {
  it('halves the evidence of stars, forks, contributors and licence after a year, that of the others in half of it', () => {
    const year = {
      stars: observation(10_000, 365),
      forks: observation(2_000, 365),
      license: observation('MIT', 365),
      observed: [record('contributors', { count: 50 }, 365)],
    };

    expect(evidenceOf('stars', year).evidence).toBe(1.5);
    expect(evidenceOf('forks', year).evidence).toBe(0.6);
    expect(evidenceOf('license', year).evidence).toBe(0.6);
    expect(evidenceOf('contributors', year).evidence).toBe(0.45);
    expect(evidenceOf('freshness', { lastCommitAt: observation(daysAgo(180), 180) }).evidence).toBe(1.65);
    expect(evidenceOf('stars', { monthlyDownloads: observation(1e9, 180) }).evidence).toBe(0.75);
  });
});

describe('what only a list states', () => {
  it('is half of the evidence of a licence', () => {
    const by = (source: string) =>
      evidenceOf('license', { license: { ...observation('MIT'), source } }).evidence;

    expect(['github.com', 'registry', 'acme/list'].map(by)).toEqual([1.2, 0.6, 0.6]);
  });

  it('counts as activity where no commit is known, or where its reading has become less evidence', () => {
    const read = (days: number) => ({ lastCommitAt: observation(daysAgo(days), days), ...STATED });

    expect(evidenceOf('freshness', STATED)).toMatchObject({ value: 0, evidence: 1.65 });
    expect(evidenceOf('freshness', read(180))).toMatchObject({ value: 1, evidence: 1.65 });
    expect(evidenceOf('freshness', read(181))).toMatchObject({ value: 0, evidence: 1.65 });
  });
});
