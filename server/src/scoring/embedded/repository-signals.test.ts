import { describe, expect, it } from 'vitest';
import { contributionOf } from '../../../testing/scoring/contribution-of.ts';
import {
  daysAgo,
  metadata,
  observation,
  repositoryFacts,
  scoreRequest,
} from '../../../testing/scoring/golden-vectors.ts';
import type { RepositoryFacts } from '../fact-types.ts';
import { scoreByMethod } from './embedded-backend.ts';
import { RS_1_0_0 } from './method-rs-1.0.0.ts';

/** Returns the reading of a signal for a repository so old that all its counts are credible. */
function reading(signal: string, known: Partial<RepositoryFacts>) {
  const facts = repositoryFacts({ repositoryCreatedAt: daysAgo(100_000), ...known });
  return contributionOf(scoreByMethod(scoreRequest(facts), RS_1_0_0), signal);
}

describe('the signals of a repository', () => {
  it.each([
    [true, 1, 3],
    [false, 0, 1],
  ])('take a listing that is verified (%s) for %d, on evidence of %d', (verified, value, evidence) => {
    expect(reading('verified_listing', { verified: observation(verified) })).toMatchObject({
      weight: 10,
      value,
      evidence,
    });
  });

  it("let the age of the creator's account count half after a year, its evidence after half a year", () => {
    const age = reading('creator_age', { creatorAccountCreatedAt: observation(daysAgo(730)) });

    expect(age).toMatchObject({ weight: 10, value: 0.75 });
    expect(age.evidence).toBeCloseTo(3 * (1 - 2 ** (-730 / 180)), 4);
    expect(reading('creator_age', { creatorAccountCreatedAt: observation(daysAgo(180)) }).evidence).toBe(1.5);
  });

  it('let the last commit fade by half in 180 days', () => {
    expect(reading('freshness', { lastCommitAt: observation(daysAgo(180)) })).toMatchObject({
      weight: 20,
      value: 0.5,
      evidence: 4,
    });
  });

  it('put up with five open issues by half, and more with every star and fork', () => {
    const load = (openIssues: number, stars: number, forks: number) =>
      reading('issue_load', {
        openIssues: observation(openIssues),
        stars: observation(stars),
        forks: observation(forks),
      });

    expect(load(5, 0, 0)).toMatchObject({ weight: 5, value: 0.5, evidence: 2 });
    expect(load(15, 200, 0).value).toBe(0.5);
    expect(load(15, 0, 40).value).toBe(0.5);
    expect(load(25, 200, 40).value).toBe(0.5);
  });

  it('read stars and forks on logarithmic scales', () => {
    expect(reading('stars', { stars: observation(99), forks: observation(1) })).toMatchObject({
      weight: 12,
      value: 0.5,
    });
    expect(reading('stars', { stars: observation(10_000), forks: observation(50) })).toMatchObject({
      value: 1,
      evidence: 4,
    });
    expect(reading('forks', { forks: observation(2_000) })).toMatchObject({
      weight: 8,
      value: 1,
      evidence: 2,
    });
    expect(reading('forks', { forks: observation(44) }).value).toBeCloseTo(Math.log(45) / Math.log(2_001), 4);
  });

  it('read licence and metadata on evidence of two and one', () => {
    expect(reading('license', { license: observation('MIT') })).toMatchObject({
      weight: 6,
      value: 1,
      evidence: 2,
    });
    expect(reading('metadata', { metadata: observation(metadata(3)) })).toMatchObject({
      weight: 4,
      value: 0.75,
      evidence: 1,
    });
  });
});
