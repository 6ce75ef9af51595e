import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  count,
  repositoryFacts as facts,
  NUM_RUNS,
  sortPair,
  TOLERANCE,
} from '../../../testing/scoring/arbitrary-facts.ts';
import { PUBLISHED, record, SOUND, vulnerability } from '../../../testing/scoring/document-vectors.ts';
import {
  accounts,
  daysAgo,
  metadata,
  observation,
  repositoryFacts,
  scoreRequest,
} from '../../../testing/scoring/golden-vectors.ts';
import type { ObservedRecord, RepositoryFacts } from '../fact-types.ts';
import { scoreByMethod } from './embedded-backend.ts';
import { RS_2_0_0 } from './method-rs-2.0.0.ts';

const MOST = 1e12;
const LONG_AGO = daysAgo(100_000);

type Change = Partial<RepositoryFacts> | ObservedRecord;

/** A fact in three states: unknown, with its best value and with its worst value. */
interface FactRange {
  readonly unknown: Partial<RepositoryFacts> | ObservedRecord['fact'];
  readonly best: Change;
  readonly worst: Change;
}

const RANGES: Readonly<Record<string, FactRange>> = {
  verified: {
    unknown: { verified: null },
    best: { verified: observation(true) },
    worst: { verified: observation(false) },
  },
  'accounts of the creator': {
    unknown: { creatorAccounts: null },
    best: { creatorAccounts: observation(accounts('1111')) },
    worst: { creatorAccounts: observation(accounts('0000')) },
  },
  "age of the creator's account": {
    unknown: { creatorAccountCreatedAt: null },
    best: { creatorAccountCreatedAt: observation(LONG_AGO) },
    worst: { creatorAccountCreatedAt: observation(daysAgo(0)) },
  },
  'age of the repository': {
    unknown: { repositoryCreatedAt: null },
    best: { repositoryCreatedAt: LONG_AGO },
    worst: { repositoryCreatedAt: daysAgo(0) },
  },
  archived: { unknown: { archived: null }, best: { archived: false }, worst: { archived: true } },
  deprecated: { unknown: { deprecated: null }, best: { deprecated: false }, worst: { deprecated: true } },
  // The age of the repository limits the value of a commit, so this test changes both facts together.
  'last commit': {
    unknown: { lastCommitAt: null, repositoryCreatedAt: null },
    best: { lastCommitAt: observation(daysAgo(0)), repositoryCreatedAt: LONG_AGO },
    worst: { lastCommitAt: observation(LONG_AGO), repositoryCreatedAt: daysAgo(0) },
  },
  'open issues': {
    unknown: { openIssues: null },
    best: { openIssues: observation(1) },
    worst: { openIssues: observation(1e30) },
  },
  // Stars replace downloads, forks and age limit the stars, and issues are compared with the stars. This test therefore
  // changes all these facts together.
  stars: {
    unknown: {
      stars: null,
      monthlyDownloads: null,
      forks: null,
      repositoryCreatedAt: null,
      openIssues: null,
    },
    best: {
      openIssues: observation(1),
      stars: observation(MOST),
      monthlyDownloads: null,
      forks: observation(MOST),
      repositoryCreatedAt: LONG_AGO,
    },
    worst: {
      openIssues: observation(1e30),
      stars: observation(0),
      monthlyDownloads: null,
      forks: observation(0),
      repositoryCreatedAt: daysAgo(0),
    },
  },
  forks: {
    unknown: { forks: null, openIssues: null },
    best: { forks: observation(MOST), openIssues: observation(1) },
    worst: { forks: observation(0), openIssues: observation(1e30) },
  },
  licence: {
    unknown: { license: null },
    best: { license: observation('MIT') },
    worst: { license: observation('NONE') },
  },
  metadata: {
    unknown: { metadata: null },
    best: { metadata: observation(metadata(4)) },
    worst: { metadata: observation(metadata(0)) },
  },
  releases: {
    unknown: 'releases',
    best: record('releases', { count: MOST, latestAt: daysAgo(0) }),
    worst: record('releases', { count: 0, latestAt: LONG_AGO }),
  },
  contributors: {
    unknown: 'contributors',
    best: record('contributors', { count: MOST }),
    worst: record('contributors', { count: 0 }),
  },
  'security policy': {
    unknown: 'security_policy',
    best: record('security_policy', { present: true }),
    worst: record('security_policy', { present: false }),
  },
  "owner's account": {
    unknown: 'owner_account',
    best: record('owner_account', { kind: 'user', createdAt: LONG_AGO }),
    worst: record('owner_account', { kind: 'user', createdAt: daysAgo(0) }),
  },
  Scorecard: {
    unknown: 'scorecard',
    best: record('scorecard', { score: 10 }),
    worst: record('scorecard', { score: 0 }),
  },
  'published package': {
    unknown: 'published_package',
    best: record('published_package', { ...PUBLISHED, provenance: 'attested', deprecated: false }),
    worst: record('published_package', { ...PUBLISHED, provenance: 'lost', deprecated: true }),
  },
  'standing of the package': {
    unknown: 'package_standing',
    best: record('package_standing', SOUND),
    worst: record('package_standing', { ...SOUND, published: 'malware' }),
  },
};

const score = (of: RepositoryFacts) => scoreByMethod(scoreRequest(of), RS_2_0_0);

function change(of: RepositoryFacts, unknown: FactRange['unknown'], known?: Change): RepositoryFacts {
  const without =
    typeof unknown === 'string'
      ? { ...of, observed: of.observed?.filter(({ fact }) => fact !== unknown) ?? [] }
      : { ...of, ...unknown };
  if (known === undefined) return without;
  return 'fact' in known
    ? { ...without, observed: [...(without.observed ?? []), known as ObservedRecord] }
    : { ...without, ...known };
}

function hold(property: fc.IRawProperty<unknown>): void {
  // Each run scores several times, for each of many facts.
  fc.assert(property, { numRuns: Math.ceil(NUM_RUNS / 10) });
}

/**
 * Facts with realistic counts: at most a million stars. With more stars, the limit by age (`starsPerDay`) would apply at
 * any realistic age.
 */
const realistic = facts.map((any) => ({
  ...any,
  stars: any.stars && { ...any.stars, value: Math.min(any.stars.value, 1_000_000) },
}));

// Removes downloads for the tests about stars, because downloads replace unknown stars.
const withoutDownloads = realistic.map((any) => ({
  ...any,
  monthlyDownloads: null,
  observed: any.observed?.filter(({ fact }) => fact !== 'published_package') ?? [],
}));

// Two sources may state a creation date of the owner's account. Each is tested without the other, because a second source
// also renews the observation.
const BASES: Readonly<Record<string, fc.Arbitrary<RepositoryFacts>>> = {
  stars: withoutDownloads,
  "owner's account": realistic.map((any) => ({ ...any, creatorAccountCreatedAt: null })),
  "age of the creator's account": realistic.map((any) => change(any, 'owner_account')),
};

describe.each(Object.entries(RANGES))('an unknown fact: %s', (name, { unknown, best, worst }) => {
  const any = BASES[name] ?? realistic;

  it('is never better than the best known value, nor worse than the worst', () => {
    hold(
      fc.property(any, (base) => {
        const trust = score(change(base, unknown)).trust;

        expect(trust).toBeLessThanOrEqual(score(change(base, unknown, best)).trust + TOLERANCE);
        expect(trust).toBeGreaterThanOrEqual(score(change(base, unknown, worst)).trust - TOLERANCE);
      }),
    );
  });

  it('costs confidence, whatever the known value is', () => {
    hold(
      fc.property(any, (base) => {
        const { ownConfidence } = score(change(base, unknown));

        for (const known of [best, worst])
          expect(ownConfidence).toBeLessThanOrEqual(score(change(base, unknown, known)).ownConfidence);
      }),
    );
  });
});

describe('a missing fact', () => {
  const PRIOR = RS_2_0_0.prior.mean;
  const unknown = [
    ...(
      [
        'verified',
        'creatorAccounts',
        'creatorAccountCreatedAt',
        'repositoryCreatedAt',
        'archived',
        'deprecated',
        'lastCommitAt',
        'openIssues',
        'stars',
        'forks',
        'monthlyDownloads',
        'license',
        'metadata',
      ] as const satisfies readonly (keyof RepositoryFacts)[]
    ).map((name) => ({ [name]: null })),
    ...new Set(
      Object.values(RANGES).flatMap((range) => (typeof range.unknown === 'string' ? range.unknown : [])),
    ),
  ] satisfies FactRange['unknown'][];
  // If two sources state a creation date of the owner's account, the earlier date counts. A list's statement takes the
  // place of an unknown commit.
  const any = withoutDownloads.map((base) => change(change(base, 'owner_account'), 'stated_status'));
  // Lineage counts where it raises trust. With less own trust, a parent below the prior may do so.
  const valuesOf = (of: RepositoryFacts) =>
    new Map(
      score(of).contributions.flatMap(({ signal, value }) => (signal === 'lineage' ? [] : [[signal, value]])),
    );

  it.each(unknown)('makes no signal worse than both the prior and its value with the fact: %o', (without) => {
    hold(
      fc.property(any, (base) => {
        const known = valuesOf(base);

        for (const [signal, value] of valuesOf(change(base, without))) {
          expect(value ?? 1, signal).toBeGreaterThanOrEqual(Math.min(known.get(signal) ?? PRIOR, PRIOR));
        }
      }),
    );
  });

  it('does not let an old commit count against a project that may be finished', () => {
    const quiet = {
      ...repositoryFacts(),
      lastCommitAt: observation(daysAgo(2_000)),
      repositoryCreatedAt: daysAgo(3_000),
      openIssues: observation(3),
      license: observation('MIT'),
    };

    for (const without of [{}, { license: null }, { openIssues: null }, { repositoryCreatedAt: null }])
      expect(score({ ...quiet, ...without }).trust).toBeGreaterThanOrEqual(100 * PRIOR);
  });

  it('never lowers trust below the prior if all known facts are good', () => {
    const part = fc.constantFrom(true, null);
    const texts = fc.record({
      description: part,
      tags: part,
      category: part,
      homepage: part,
      skillManifest: part,
    });
    const inside: readonly Change[] = [
      record('releases', { count: MOST, latestAt: null }),
      record('published_package', { ...PUBLISHED, provenance: 'attested' }),
      record('published_package', { ...PUBLISHED, monthlyDownloads: MOST }),
      record('package_standing', { ...SOUND, version: null, published: 'unread' }),
      { packageConfirmed: observation(true) },
      { lists: observation(1) },
    ];
    const good = fc.subarray([...Object.values(RANGES).map(({ best }) => best), ...inside]);
    fc.assert(
      fc.property(good, fc.option(texts), (changes, metadataParts) => {
        const none = repositoryFacts({ metadata: metadataParts && observation(metadataParts) });
        const known = changes.reduce<RepositoryFacts>(
          (of, each) => change(of, 'fact' in each ? each.fact : {}, each),
          none,
        );

        expect(score(known).trust).toBeGreaterThanOrEqual(100 * PRIOR);
      }),
      { numRuns: NUM_RUNS },
    );
  });
});

describe('facts that are only known where they are good', () => {
  it('never lower trust or confidence', () => {
    hold(
      fc.property(facts, (base) => {
        const { lists: _lists, packageConfirmed: _confirmed, ...others } = base;
        const without = { ...change(others, 'official_maker'), observed: [] };
        const gains: RepositoryFacts[] = [
          { ...without, packageConfirmed: observation(true) },
          change(without, 'official_maker', record('official_maker', { namespace: 'example.com' })),
        ];

        for (const gained of gains) {
          expect(score(gained).trust).toBeGreaterThanOrEqual(score(without).trust);
          expect(score(gained).ownConfidence).toBeGreaterThanOrEqual(score(without).ownConfidence);
        }
      }),
    );
  });
});

describe('a number', () => {
  const numbers: Readonly<Record<string, (amount: number) => Change>> = {
    stars: (amount) => ({ stars: observation(amount) }),
    forks: (amount) => ({ forks: observation(amount) }),
    lists: (amount) => ({ lists: observation(amount) }),
    contributors: (amount) => record('contributors', { count: amount }),
    releases: (amount) => record('releases', { count: amount, latestAt: null }),
  };

  it.each(Object.entries(numbers))('of %s never lowers trust by rising', (name, changeBy) => {
    hold(
      fc.property(facts, fc.tuple(count, count), (base, amounts) => {
        const [fewer, more] = sortPair(amounts);
        const unknown = name === 'contributors' || name === 'releases' ? name : {};
        const trust = (amount: number) => score(change(base, unknown, changeBy(amount))).trust;

        expect(trust(more)).toBeGreaterThanOrEqual(trust(fewer));
      }),
    );
  });
});

describe("a list's statement that a repository is no longer developed", () => {
  const STATED = record('stated_status', { status: 'archived', since: null });

  it('never raises trust, and lowers it by a bounded amount', () => {
    hold(
      fc.property(facts, (base) => {
        const without = score(change(base, 'stated_status')).trust;
        const trust = score(change(base, 'stated_status', STATED)).trust;

        expect(trust).toBeLessThanOrEqual(without + TOLERANCE);
        expect(trust).toBeGreaterThanOrEqual(without - 25);
      }),
    );
  });

  it('changes nothing if the last commit was read in the last half-life', () => {
    hold(
      fc.property(facts, fc.integer({ min: 0, max: 180 }), (base, days) => {
        const read = { ...base, lastCommitAt: observation(daysAgo(days), days) };
        const { trust, confidence } = score(change(read, 'stated_status'));

        expect(score(change(read, 'stated_status', STATED))).toMatchObject({ trust, confidence });
      }),
    );
  });
});

it('never rises with the severity of an open vulnerability, or without a fix', () => {
  hold(
    fc.property(facts, (base) => {
      const trusts = ([null, 'low', 'medium', 'high', 'critical'] as const).flatMap((severity) =>
        ['1.2.1', null].map((fixedIn) => {
          const vulnerabilities = [vulnerability(severity, fixedIn)];
          const standing = severity === null ? SOUND : { ...SOUND, vulnerabilities };
          return score(change(base, 'package_standing', record('package_standing', standing))).trust;
        }),
      );
      const [sound, ...affected] = trusts.slice(1);

      expect(Math.max(...affected)).toBeLessThanOrEqual(sound ?? 0);
      expect([...affected].filter((_trust, place) => place % 2 === 0)).toEqual(
        affected.filter((_trust, place) => place % 2 === 0).toSorted((one, other) => other - one),
      );
    }),
  );
});
