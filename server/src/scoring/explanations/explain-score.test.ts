import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountFacts as factsOfAccount } from '../../../testing/scoring/account-vectors.ts';
import {
  accountFacts,
  repositoryFacts as anyRepositoryFacts,
  creatorFacts,
  NUM_RUNS,
} from '../../../testing/scoring/arbitrary-facts.ts';
import { creatorFacts as factsOfCreator, portfolioOf } from '../../../testing/scoring/creator-vectors.ts';
import { SOUND } from '../../../testing/scoring/document-vectors.ts';
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
import { METHODS, type Method } from '../embedded/current-method.ts';
import { scoreByMethod } from '../embedded/embedded-backend.ts';
import type { AccountFacts, CreatorFacts, Facts, RepositoryFacts } from '../fact-types.ts';
import type { Contribution } from '../scoring-backend.ts';
import { SUBJECT_TYPES, type SubjectType } from '../subject-type.ts';
import {
  EXPLAINED_WITHIN,
  type ExplainableScore,
  explainScore,
  mostWantedFact,
  scoreBasisOf,
} from './explain-score.ts';
import { inSentence } from './signal-labels.ts';

const FACTS: Readonly<Record<SubjectType, fc.Arbitrary<Facts>>> = {
  agent: anyRepositoryFacts,
  skill: anyRepositoryFacts,
  creator: creatorFacts,
  social_account: accountFacts,
  messaging_account: accountFacts,
};

function scored(facts: Facts, type: SubjectType, method?: Method): ExplainableScore {
  const score = scoreByMethod(scoreRequest(facts, type), method);
  return { ...score, type, source: 'embedded', facts, factsAt: NOW.toISOString() };
}

const sum = (numbers: readonly (number | null)[]) =>
  numbers.reduce<number>((total, each) => total + (each ?? 0), 0);

/** Expects that the parts of a score add up to its trust and to its confidence. */
function expectExplained(score: ExplainableScore): void {
  const { extent, signals, prior, raw, confidence } = explainScore(score);
  const capped = score.caps.at(-1)?.final ?? raw;

  expect(Math.abs(sum(signals.map(({ points }) => points)) + (prior ?? 0) - raw)).toBeLessThanOrEqual(
    EXPLAINED_WITHIN,
  );
  expect(capped).toBe(score.trust);
  expect(extent).toBe('full');
  const parts = signals.map(({ confidencePoints }) => confidencePoints);
  expect(Math.abs(sum(parts) - score.confidence)).toBeLessThanOrEqual(EXPLAINED_WITHIN);
  expect(confidence?.evidence).toBeCloseTo(sum(signals.map(({ fadedEvidence }) => fadedEvidence)), 9);
}

describe.each(SUBJECT_TYPES)('a score of type %s', (type) => {
  it.each(METHODS.map((method) => [method.version, method] as const))(
    'by %s is the sum of its parts, whatever is known',
    (_version, method) => {
      fc.assert(
        fc.property(FACTS[type], (facts) => expectExplained(scored(facts, type, method))),
        { numRuns: Math.ceil(NUM_RUNS / 4) },
      );
    },
  );
});

describe('an explained signal', () => {
  const facts = repositoryFacts({
    stars: observation(1_240),
    metadata: observation(metadata(3)),
    license: observation('MIT', 365),
  });
  const fresh = scored({ ...facts, license: observation('MIT') }, 'skill');
  const of = (signal: string, score = scored(facts, 'skill')) =>
    explainScore(score).signals.find((each) => each.signal === signal);

  it('has its label, and what was observed in words', () => {
    expect(of('stars')).toMatchObject({ label: 'Stars', found: '1,240', status: 'observed' });
    expect(of('license')).toMatchObject({ label: 'Licence', found: 'MIT' });
    expect(of('forks')).toMatchObject({ label: 'Forks', found: null, points: 0, confidencePoints: 0 });
  });

  it('describes all packages of a listing, as the worst one counts', () => {
    const vulnerability = { id: 'CVE-1', severity: 'high', fixedIn: null } as const;
    const sound = { ...SOUND, malwareVersions: ['0.5.1'] };
    const standing = { ...sound, others: [{ ...SOUND, name: 'other', vulnerabilities: [vulnerability] }] };
    const published = { ecosystem: 'npm', name: 'robot', version: '1.0.0', releasedAt: null } as const;
    const rest = { deprecated: null, monthlyDownloads: null };
    const known = repositoryFacts({
      packageConfirmed: observation(true as const),
      observed: [
        { fact: 'package_standing', ...observation(standing) },
        {
          fact: 'published_package',
          ...observation({ ...published, ...rest, provenance: 'attested' as const }),
        },
        { fact: 'published_package', ...observation({ ...published, ...rest, provenance: 'lost' as const }) },
      ],
    });
    const score = scored(known, 'skill');

    expect(of('vulnerabilities', score)).toMatchObject({ value: 0.15, found: '1' });
    expect(of('provenance', score)).toMatchObject({ value: 0, found: 'an earlier version had it' });
  });

  it('has as much evidence as counts at the time of the score: half after a half-life', () => {
    const { evidence = 0, fadedEvidence } = of('license') ?? {};

    expect(fadedEvidence).toBe(evidence);
    expect(evidence).toBeCloseTo((of('license', fresh)?.evidence ?? 0) / 2, 4);
  });

  it('has the half-life of the method that made the score, which may apply to confidence alone', () => {
    const [first] = METHODS;
    const { evidence = 0, fadedEvidence } = of('license', scored(facts, 'skill', first)) ?? {};

    expect(fadedEvidence).toBeCloseTo(evidence * 2 ** (-365 / first.observationHalfLife), 9);
  });
});

it.each([
  ['Last commit', 'last commit'],
  ["Age of the creator's account", "age of the creator's account"],
  ['Description, tags, category, site', 'description, tags, category, site'],
  ['OpenSSF Scorecard', 'OpenSSF Scorecard'],
])('a label within a sentence keeps the capitals of names: %s', (label, written) => {
  expect(inSentence(label)).toBe(written);
});

describe('a score of another backend', () => {
  const contribution = { value: 1, weight: 1, evidence: 1, status: 'observed', source: null } as const;
  const points = (signal: string, of: number) => ({
    ...contribution,
    signal,
    points: of,
    observedAt: null,
    reason: null,
  });
  const remote: ExplainableScore = {
    type: 'skill',
    trust: 60,
    confidence: 40,
    source: 'scores.example',
    methodVersion: 'house-3',
    coverage: null,
    contributions: [points('reach', 35), points('stars', 25)],
    caps: [],
    facts: null,
    factsAt: null,
  };

  it('is explained in full where its points add up', () => {
    expect(explainScore(remote)).toMatchObject({ extent: 'full', prior: null, confidence: null, raw: 60 });
  });

  it('is explained in part where they do not, with the difference', () => {
    const { extent, unexplained } = explainScore({ ...remote, contributions: [points('reach', 35)] });

    expect({ extent, unexplained }).toEqual({ extent: 'partial', unexplained: 25 });
  });

  it('is not explained where it names no signals', () => {
    expect(explainScore({ ...remote, contributions: [] })).toMatchObject({ extent: 'none', signals: [] });
  });

  it('has no parts of confidence where it only borrows the name of a method', () => {
    const own = scored(GOLDEN_VECTORS[0]?.facts ?? repositoryFacts(), 'skill');

    const { confidence, signals } = explainScore({ ...own, confidence: own.confidence - 20 });

    expect(confidence).toBeNull();
    expect(signals.every(({ confidencePoints }) => confidencePoints === null)).toBe(true);
  });
});

it('returns the state of a score and the number of signals behind it', () => {
  const facts = repositoryFacts({ stars: observation(3) });
  const score = scoreByMethod(scoreRequest(facts));

  const basis = scoreBasisOf({ ...score, facts, factsAt: NOW.toISOString() });

  expect(basis).toMatchObject({ state: 'little_evidence', known: 1 });
  expect(basis.text).toBe(`little evidence: 1 of ${basis.total} signals known`);
});

const unverified = (facts: Partial<RepositoryFacts>) =>
  scoreByMethod(scoreRequest(repositoryFacts({ verified: observation(false), ...facts })));

const contribution = (signal: string, weight: number, status: Contribution['status']): Contribution => ({
  signal,
  weight,
  status,
  value: status === 'observed' ? 0.5 : null,
  points: 0,
  evidence: status === 'observed' ? 1 : 0,
  source: null,
  observedAt: null,
  reason: null,
});

describe('the fact that would move confidence most', () => {
  it('is the last commit for a repository of which only stars are known', () => {
    const wanted = mostWantedFact(
      unverified({ stars: observation(9_000), metadata: observation(metadata(3)) }),
    );

    expect(wanted?.signal).toBe('freshness');
  });

  it('adds about as many points as the method gives when it is observed', () => {
    const facts = {
      stars: observation(9_000),
      metadata: observation(metadata(3)),
      repositoryCreatedAt: daysAgo(900),
    };
    const before = unverified(facts);
    const after = unverified({ ...facts, lastCommitAt: observation(daysAgo(1)) });

    const gain = mostWantedFact(before)?.gain ?? 0;

    expect(gain / (after.confidence - before.confidence)).toBeGreaterThan(0.5);
    expect(gain / (after.confidence - before.confidence)).toBeLessThan(2);
  });

  it('adds about as many points for creators and accounts, too', () => {
    const creator = (facts: Partial<CreatorFacts>) => scored(factsOfCreator(facts), 'creator');
    const portfolio = portfolioOf(Array(10).fill({ confidence: 40, trust: 70 }));
    const proved = observation(accounts('1000'));
    const account = (facts: Partial<AccountFacts>) =>
      scored(
        factsOfAccount('account', { accountCreatedAt: observation(daysAgo(3_000)), ...facts }),
        'social_account',
      );
    const cases = [
      [creator({ portfolio }), creator({ portfolio, accounts: proved }), 'verified_accounts'],
      [
        creator({ portfolio, accounts: proved }),
        creator({ portfolio, accounts: proved, accountCreatedAt: observation(daysAgo(2_000)) }),
        'account_age',
      ],
      [account({}), account({ crossLink: observation('both') }), 'cross_link'],
    ] as const;

    for (const [before, after, signal] of cases) {
      const wanted = mostWantedFact(before);
      expect(wanted?.signal).toBe(signal);
      const ratio = (wanted?.gain ?? 0) / (after.confidence - before.confidence);
      expect([signal, ratio > 0.8 && ratio < 1.25]).toEqual([signal, true]);
    }
  });

  it('is found from the contributions of any method, if only as an estimate', () => {
    const contributions = [
      contribution('observed here', 20, 'observed'),
      contribution('small', 5, 'missing'),
      contribution('provenance', 15, 'missing'),
      contribution('irrelevant', 40, 'not_applicable'),
    ];

    expect(mostWantedFact({ confidence: 12, contributions })?.signal).toBe('provenance');
  });

  it('is nothing about a package of a repository for which no package counts', () => {
    const facts = {
      stars: observation(9_000),
      lastCommitAt: observation(daysAgo(1)),
      metadata: observation(metadata(3)),
    };

    expect(mostWantedFact(unverified(facts))?.signal).toBe('verified_listing');
    expect(mostWantedFact(unverified({ ...facts, packageConfirmed: observation(true) }))?.signal).toBe(
      'vulnerabilities',
    );
  });

  it('is none when nothing is missing, or when a score has no contributions', () => {
    expect(
      mostWantedFact({ confidence: 60, contributions: [contribution('all', 20, 'observed')] }),
    ).toBeNull();
    expect(mostWantedFact({ confidence: 60, contributions: [] })).toBeNull();
  });

  it('never adds a negative number of points, and a heavier signal adds more', () => {
    for (const confidence of [0, 5, 20, 39])
      for (const observed of [0, 10, 60]) {
        const of = (weight: number) =>
          mostWantedFact({
            confidence: observed === 0 ? 0 : confidence,
            contributions: [
              contribution('known', observed, observed === 0 ? 'missing' : 'observed'),
              contribution('wanted', weight, 'missing'),
            ],
          })?.gain ?? 0;
        expect(of(10)).toBeGreaterThanOrEqual(0);
        expect(of(30)).toBeGreaterThanOrEqual(of(10));
      }
  });
});
