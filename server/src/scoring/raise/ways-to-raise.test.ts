import { describe, expect, it } from 'vitest';
import {
  accounts,
  daysAgo,
  GOLDEN_VECTORS,
  metadata,
  NOW,
  repositoryFacts,
  scoreRequest,
  seen,
} from '../../../testing/scoring/golden-vectors.ts';
import { scoreByMethod } from '../embedded/embedded-backend.ts';
import type { RepositoryFacts } from '../facts/repository-facts.ts';
import { type Raisable, type Way, waysToRaise } from './ways-to-raise.ts';

const of = (facts: RepositoryFacts, more: Partial<Raisable> = {}): Raisable => ({
  facts,
  type: 'skill',
  isPart: false,
  npmPackage: null,
  pypiPackage: null,
  now: NOW,
  ...more,
});
const trustOf = (facts: RepositoryFacts) => scoreByMethod(scoreRequest(facts)).trust;
const vector = (letter: string) => {
  const found = GOLDEN_VECTORS.find(({ name }) => name.startsWith(letter));
  if (!found) throw new Error(`no vector ${letter}`);
  return found.facts;
};
const waysOf = (raisable: Raisable) => waysToRaise(raisable).map(({ way }) => way);

/** What each way means, said a second time: the facts as they will be once it is done. */
const DONE: Readonly<Record<Way, (facts: RepositoryFacts) => RepositoryFacts>> = {
  claim: (facts) => ({
    ...facts,
    verified: seen(true),
    creatorAccounts: seen({ ...(facts.creatorAccounts?.value ?? accounts('0000')), repoHost: true }),
  }),
  state_license: (facts) => ({ ...facts, license: seen('MIT') }),
  describe: (facts) => ({
    ...facts,
    metadata:
      facts.metadata && seen({ ...facts.metadata.value, description: true, tags: true, homepage: true }),
  }),
  prove_npm: (facts) => ({
    ...facts,
    creatorAccounts: seen({ ...(facts.creatorAccounts?.value ?? accounts('0000')), nodePackages: true }),
  }),
  prove_pypi: (facts) => ({
    ...facts,
    creatorAccounts: seen({ ...(facts.creatorAccounts?.value ?? accounts('0000')), pythonPackages: true }),
  }),
  prove_network: (facts) => ({
    ...facts,
    creatorAccounts: seen({
      ...(facts.creatorAccounts?.value ?? accounts('0000')),
      professionalNetwork: true,
    }),
  }),
  acknowledgement: (facts) => ({
    ...facts,
    parents: facts.parents.map((parent) => ({ ...parent, acknowledged: true })),
  }),
  commit: (facts) => ({ ...facts, lastCommitAt: seen(daysAgo(0)) }),
  close_issues: (facts) => ({ ...facts, openIssues: seen(Math.ceil((facts.openIssues?.value ?? 0) / 2)) }),
  unarchive: (facts) => ({ ...facts, archived: false }),
};

describe('ways to raise a score', () => {
  it.each(GOLDEN_VECTORS)('bring the points that the method gives once they are done: $name', ({ facts }) => {
    const ways = waysToRaise(of(facts, { npmPackage: 'robot', pypiPackage: 'robot' }));

    expect(ways.length).toBeLessThanOrEqual(3);
    for (const { way, points } of ways) {
      expect(points).toBeGreaterThan(0);
      expect([way, points]).toEqual([
        way,
        Math.round(10 * (trustOf(DONE[way](facts)) - trustOf(facts))) / 10,
      ]);
    }
  });

  it('are, of what nobody has claimed, to claim it, to license it and to describe it', () => {
    const unclaimed = repositoryFacts({
      verified: seen(false),
      metadata: seen(metadata(2)),
      stars: seen(40),
      forks: seen(6),
      lastCommitAt: seen(daysAgo(400)),
      repositoryCreatedAt: daysAgo(300),
    });

    const ways = waysToRaise(of(unclaimed));

    expect(ways.map(({ way, missing }) => [way, missing])).toEqual([
      ['claim', undefined],
      ['state_license', undefined],
      ['describe', ['tags', 'homepage']],
    ]);
  });

  it('ask of a part of a repository only what is its own', () => {
    const part = repositoryFacts({ verified: seen(true), license: seen('MIT'), metadata: seen(metadata(0)) });

    expect(waysToRaise(of(part, { isPart: true })).find(({ way }) => way === 'describe')?.missing).toEqual([
      'description',
    ]);
  });

  it('never touch what others give: stars, forks, downloads, age and parents stay', () => {
    const bought = vector('D');
    const seenBy: RepositoryFacts[] = [];
    for (const way of waysOf(of(bought))) seenBy.push(DONE[way](bought));

    expect(seenBy.length).toBeGreaterThan(0);
    for (const { stars, forks, monthlyDownloads, repositoryCreatedAt } of seenBy) {
      expect({ stars, forks, monthlyDownloads, repositoryCreatedAt }).toEqual({
        stars: bought.stars,
        forks: bought.forks,
        monthlyDownloads: bought.monthlyDownloads,
        repositoryCreatedAt: bought.repositoryCreatedAt,
      });
    }
  });

  it('are only its revival where an archive holds the trust down', () => {
    expect(waysOf(of(vector('F')))).toEqual(['unarchive']);
  });

  it('leave out what brings nothing: the best there is has little left to do', () => {
    const best = { ...vector('A'), lastCommitAt: seen(daysAgo(0)), openIssues: seen(1) };

    expect(waysOf(of(best))).toEqual([]);
  });

  it.each([
    ['commit', { lastCommitAt: seen(daysAgo(400), 60) }, { lastCommitAt: seen(daysAgo(400), 61) }],
    ['close_issues', { openIssues: seen(900, 60) }, { openIssues: seen(900, 61) }],
    ['state_license', { license: seen('none', 60) }, { license: seen('none', 61) }],
    ['describe', { metadata: seen(metadata(0), 60) }, { metadata: seen(metadata(0), 61) }],
    ['unarchive', { archived: true, stars: seen(9_000, 60) }, { archived: true, stars: seen(9_000, 61) }],
  ] as readonly [Way, Partial<RepositoryFacts>, Partial<RepositoryFacts>][])(
    'give no advice to %s from a reading of more than 60 days ago',
    (way, recent, old) => {
      const owned = { verified: seen(true), creatorAccounts: seen(accounts('1111')), license: seen('MIT') };
      const rich = { ...owned, forks: seen(900, 90), repositoryCreatedAt: daysAgo(900) };

      expect(waysOf(of(repositoryFacts({ ...rich, ...recent })))).toContain(way);
      expect(waysOf(of(repositoryFacts({ ...rich, ...old })))).not.toContain(way);
    },
  );

  it('ask for a commit with the date of the latest that is known', () => {
    const owned = { verified: seen(true), creatorAccounts: seen(accounts('1111')), license: seen('MIT') };
    const lastCommitAt = seen(daysAgo(400));

    const ways = waysToRaise(
      of(repositoryFacts({ ...owned, lastCommitAt, repositoryCreatedAt: daysAgo(900) })),
    );

    expect(ways).toContainEqual(expect.objectContaining({ way: 'commit', lastCommitAt: lastCommitAt.value }));
  });

  it('ask to prove an account at a registry only of what has a package there', () => {
    const claimed = repositoryFacts({
      verified: seen(true),
      creatorAccounts: seen(accounts('1000')),
      license: seen('MIT'),
      metadata: seen(metadata(4)),
    });

    expect(waysOf(of(claimed))).toEqual(['prove_network']);
    expect(waysOf(of(claimed, { npmPackage: 'robot' }))).toEqual(['prove_npm', 'prove_network']);
    expect(waysOf(of(claimed, { pypiPackage: 'robot' }))).toEqual(['prove_pypi', 'prove_network']);
  });
});
