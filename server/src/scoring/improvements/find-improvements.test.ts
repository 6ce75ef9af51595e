import { describe, expect, it } from 'vitest';
import { accountFacts } from '../../../testing/scoring/account-vectors.ts';
import { creatorFacts } from '../../../testing/scoring/creator-vectors.ts';
import {
  accounts,
  daysAgo,
  GOLDEN_VECTORS,
  metadata,
  NOW,
  observation,
  repositoryFacts,
  scoreRequest,
} from '../../../testing/scoring/golden-vectors.ts';
import { scoreByMethod } from '../embedded/embedded-backend.ts';
import type { Facts, RepositoryFacts } from '../fact-types.ts';
import type { SubjectType } from '../subject-type.ts';
import {
  adviceStableForMs,
  findImprovements,
  type ImprovableScore,
  type ImprovementKind,
  improvementsOfScore,
} from './find-improvements.ts';
import { improvementText } from './improvement-texts.ts';

const of = (facts: RepositoryFacts, more: Partial<ImprovableScore> = {}): ImprovableScore => ({
  facts,
  type: 'skill',
  isPart: false,
  npmPackage: null,
  pypiPackage: null,
  now: NOW,
  readAt: NOW,
  ...more,
});
const trustOf = (facts: RepositoryFacts) => scoreByMethod(scoreRequest(facts)).trust;
const vector = (letter: string) => {
  const found = GOLDEN_VECTORS.find(({ name }) => name.startsWith(letter));
  if (!found) throw new Error(`no vector ${letter}`);
  return found.facts;
};
const waysOf = (raisable: ImprovableScore) => findImprovements(raisable).map(({ way }) => way);

type RepositoryImprovement = Exclude<ImprovementKind, 'link_profile'>;

/** Facts after each action, written independently of the product code. */
const DONE: Readonly<Record<RepositoryImprovement, (facts: RepositoryFacts) => RepositoryFacts>> = {
  claim: (facts) => ({
    ...facts,
    verified: observation(true),
    creatorAccounts: observation({ ...(facts.creatorAccounts?.value ?? accounts('0000')), repoHost: true }),
  }),
  state_license: (facts) => ({ ...facts, license: observation('MIT') }),
  describe: (facts) => ({
    ...facts,
    metadata:
      facts.metadata &&
      observation({ ...facts.metadata.value, description: true, tags: true, homepage: true }),
  }),
  prove_npm: (facts) => ({
    ...facts,
    creatorAccounts: observation({
      ...(facts.creatorAccounts?.value ?? accounts('0000')),
      nodePackages: true,
    }),
  }),
  prove_pypi: (facts) => ({
    ...facts,
    creatorAccounts: observation({
      ...(facts.creatorAccounts?.value ?? accounts('0000')),
      pythonPackages: true,
    }),
  }),
  prove_network: (facts) => ({
    ...facts,
    creatorAccounts: observation({
      ...(facts.creatorAccounts?.value ?? accounts('0000')),
      professionalNetwork: true,
    }),
  }),
  acknowledgement: (facts) => ({
    ...facts,
    parents: facts.parents.map((parent) => ({ ...parent, acknowledged: true })),
  }),
  commit: (facts) => ({ ...facts, lastCommitAt: observation(daysAgo(0)) }),
  close_issues: (facts) => ({
    ...facts,
    openIssues: observation(Math.ceil((facts.openIssues?.value ?? 0) / 2)),
  }),
  unarchive: (facts) => ({ ...facts, archived: false }),
};

describe('ways to raise a score', () => {
  it.each(GOLDEN_VECTORS)('bring the points that the method gives once they are done: $name', ({ facts }) => {
    const ways = findImprovements(of(facts, { npmPackage: 'robot', pypiPackage: 'robot' }));

    expect(ways.length).toBeLessThanOrEqual(3);
    for (const { way, points } of ways) {
      expect(points).toBeGreaterThan(0);
      expect([way, points]).toEqual([
        way,
        Math.round(10 * (trustOf(DONE[way as RepositoryImprovement](facts)) - trustOf(facts))) / 10,
      ]);
    }
  });

  it('of an unclaimed listing are to claim, license and describe it', () => {
    const unclaimed = repositoryFacts({
      verified: observation(false),
      metadata: observation(metadata(2)),
      stars: observation(40),
      forks: observation(6),
      lastCommitAt: observation(daysAgo(400)),
      repositoryCreatedAt: daysAgo(300),
    });

    const ways = findImprovements(of(unclaimed));

    expect(ways.map(({ way, missing }) => [way, missing])).toEqual([
      ['claim', undefined],
      ['state_license', undefined],
      ['describe', ['tags', 'homepage']],
    ]);
    expect(ways.slice(1).map((way) => improvementText(way, 'agent'))).toEqual([
      'Add an open-source licence to the repository, unless it has one: none is known here.',
      'Add tags and a home page to the repository; its entry here has none.',
    ]);
  });

  it('say that there is no licence only if the repository states that it has none', () => {
    const unlicensed = repositoryFacts({ verified: observation(true), license: observation('NONE') });

    const way = findImprovements(of(unlicensed)).find((each) => each.way === 'state_license');

    expect(way && improvementText(way, 'agent')).toBe('Add an open-source licence to the repository.');
  });

  it('ask for its own texts only, for an artifact inside a repository', () => {
    const part = repositoryFacts({
      verified: observation(true),
      license: observation('MIT'),
      metadata: observation(metadata(0)),
    });

    expect(
      findImprovements(of(part, { isPart: true })).find(({ way }) => way === 'describe')?.missing,
    ).toEqual(['description']);
  });

  it('never change stars, forks, downloads, age or parents', () => {
    const bought = vector('D');
    const seenBy: RepositoryFacts[] = [];
    for (const way of waysOf(of(bought))) seenBy.push(DONE[way as RepositoryImprovement](bought));

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

  it('are only to unarchive it where the archive cap limits trust', () => {
    expect(waysOf(of(vector('F')))).toEqual(['unarchive']);
  });

  it('leave out actions without effect', () => {
    const best = { ...vector('A'), lastCommitAt: observation(daysAgo(0)), openIssues: observation(1) };

    expect(waysOf(of(best))).toEqual([]);
  });

  it.each([
    [
      'commit',
      { lastCommitAt: observation(daysAgo(400), 60) },
      { lastCommitAt: observation(daysAgo(400), 61) },
    ],
    ['close_issues', { openIssues: observation(900, 60) }, { openIssues: observation(900, 61) }],
    ['state_license', { license: observation('none', 60) }, { license: observation('none', 61) }],
    ['describe', { metadata: observation(metadata(0), 60) }, { metadata: observation(metadata(0), 61) }],
    [
      'unarchive',
      { archived: true, stars: observation(9_000, 60) },
      { archived: true, stars: observation(9_000, 61) },
    ],
  ] as readonly [ImprovementKind, Partial<RepositoryFacts>, Partial<RepositoryFacts>][])(
    'give no advice to %s from a reading of more than 60 days ago',
    (way, recent, old) => {
      const owned = {
        verified: observation(true),
        creatorAccounts: observation(accounts('1111')),
        license: observation('MIT'),
      };
      const used = { stars: observation(2_000, 90), forks: observation(900, 90) };
      const rich = { ...owned, ...used, repositoryCreatedAt: daysAgo(900) };

      expect(waysOf(of(repositoryFacts({ ...rich, ...recent })))).toContain(way);
      expect(waysOf(of(repositoryFacts({ ...rich, ...old })))).not.toContain(way);
      // A fact's reading becomes older after the score was made, so the advice ends a day later.
      const aDayLater = { readAt: new Date(NOW.getTime() + 86_400_000) };
      expect(waysOf(of(repositoryFacts({ ...rich, ...recent }), aDayLater))).not.toContain(way);
    },
  );

  it('ask for a commit with the date of the latest that is known', () => {
    const owned = {
      verified: observation(true),
      creatorAccounts: observation(accounts('1111')),
      license: observation('MIT'),
    };
    const lastCommitAt = observation(daysAgo(400));

    const ways = findImprovements(
      of(repositoryFacts({ ...owned, lastCommitAt, repositoryCreatedAt: daysAgo(900) })),
    );

    expect(ways).toContainEqual(expect.objectContaining({ way: 'commit', lastCommitAt: lastCommitAt.value }));
  });

  it('ask to prove an account at a registry only of what has a package there', () => {
    const claimed = repositoryFacts({
      verified: observation(true),
      creatorAccounts: observation(accounts('1000')),
      license: observation('MIT'),
      metadata: observation(metadata(4)),
    });

    expect(waysOf(of(claimed))).toEqual(['prove_network']);
    expect(waysOf(of(claimed, { npmPackage: 'robot' }))).toEqual(['prove_npm', 'prove_network']);
    expect(waysOf(of(claimed, { pypiPackage: 'robot' }))).toEqual(['prove_pypi', 'prove_network']);
  });
});

describe('ways to raise the score of a creator or an account', () => {
  const waysFor = (facts: Facts, type: SubjectType) =>
    improvementsOfScore({
      ...{ facts, type, source: 'embedded', methodVersion: 'rs-2.0.0', scoredAt: NOW, readAt: NOW },
      ...{ isPart: false, npmPackage: null, pypiPackage: null },
    });
  const pointsOf = (before: Facts, after: Facts, type: SubjectType) => {
    const trustAt = (facts: Facts) => scoreByMethod(scoreRequest(facts, type)).trust;
    return Math.round(10 * (trustAt(after) - trustAt(before))) / 10;
  };

  it('are to prove accounts, each with the points that the method gives', () => {
    const unproved = creatorFacts({ accounts: observation(accounts('0000')) });
    const claimed = creatorFacts({ accounts: observation(accounts('1000')) });

    expect(waysFor(unproved, 'creator')[0]).toEqual({
      way: 'claim',
      points: pointsOf(unproved, claimed, 'creator'),
    });
    expect(waysFor(claimed, 'creator').map(({ way }) => way)).toEqual(['prove_network']);
  });

  it('are to link profile and host, and nothing about popularity', () => {
    const linkedOnce = accountFacts('account', { crossLink: observation('one'), audience: observation(10) });
    const linked = { ...linkedOnce, crossLink: observation('both' as const) };

    expect(waysFor(linkedOnce, 'social_account')).toEqual([
      { way: 'link_profile', points: pointsOf(linkedOnce, linked, 'social_account') },
    ]);
    expect(waysFor(linked, 'social_account')).toEqual([]);
  });

  it('stay the same until a reading is sixty days old', () => {
    const facts = repositoryFacts({ stars: observation(5, 59), license: observation('MIT', 90) });

    expect(adviceStableForMs(facts, NOW)).toBe(86_400_000);
    expect(adviceStableForMs(creatorFacts(), NOW)).toBe(Number.POSITIVE_INFINITY);
  });
});
