import { describe, expect, it } from 'vitest';
import { record } from '../../../testing/scoring/document-vectors.ts';
import {
  accounts,
  daysAgo,
  NOW,
  observation,
  repositoryFacts,
  scoreRequest,
} from '../../../testing/scoring/golden-vectors.ts';
import { scoreByMethod } from '../embedded/embedded-backend.ts';
import type { AccountFacts, CreatorFacts, Facts, RepositoryFacts, StatedStatus } from '../fact-types.ts';
import type { SubjectType } from '../subject-type.ts';
import { PACKAGE_REASONS } from './package-reasons.ts';
import { REASON_RULES, REASONS, type ReasonCode, USE_FROM } from './reasons.ts';
import { verdictOf } from './verdict.ts';

/** Facts that are just inside a rule, and facts that are just outside of it. */
interface Boundary {
  readonly inside: Facts;
  readonly outside: Facts;
}

/** A well-kept repository, whose trust is so high that every cap lowers it. */
const GOOD: Partial<RepositoryFacts> = {
  verified: observation(false),
  license: observation('MIT'),
  repositoryCreatedAt: daysAgo(900),
  lastCommitAt: observation(daysAgo(1)),
  stars: observation(3_000),
  forks: observation(900),
};
const repository = (known: Partial<RepositoryFacts>) => repositoryFacts({ ...GOOD, ...known });
const account = (known: Partial<AccountFacts>): AccountFacts => ({
  kind: 'account',
  verifiedMark: null,
  accountCreatedAt: null,
  audience: null,
  audienceDayGrowth: null,
  engagement: null,
  lastPostAt: null,
  crossLink: null,
  scamFlag: null,
  ...known,
});
const LOVED = account({
  verifiedMark: observation(true),
  engagement: observation(1),
  crossLink: observation('both'),
  audience: observation(1e6),
  lastPostAt: observation(daysAgo(0)),
});
const creator = (source: string, bits: string): CreatorFacts => ({
  accounts: { value: accounts(bits), observedAt: daysAgo(0), source },
  accountCreatedAt: null,
  portfolio: null,
  graphEquity: null,
});
const withAccount = (bits: string) =>
  repository({ creatorAccounts: { ...observation(accounts(bits)), source: 'linked_accounts' } });
const committed = (days: number, readDaysAgo = 0) =>
  repository({ lastCommitAt: observation(daysAgo(days), readDaysAgo) });
const stated = (status: StatedStatus['status']) =>
  repository({ observed: [record('stated_status', { status, since: null })] });
const starred = (stars: number) => repository({ stars: observation(stars), forks: null });
const PROVED = 'linked_accounts';

const BOUNDARIES: Readonly<Partial<Record<ReasonCode, Boundary>>> = {
  archived: { inside: repository({ archived: true }), outside: repository({ archived: false }) },
  deprecated: { inside: repository({ deprecated: true }), outside: repository({ deprecated: false }) },
  scam_flag: {
    inside: account({ scamFlag: observation(true) }),
    outside: account({ scamFlag: observation(false) }),
  },
  audience_spike: {
    inside: { ...LOVED, audienceDayGrowth: observation(0.501) },
    outside: { ...LOVED, audienceDayGrowth: observation(0.5) },
  },
  no_license: {
    inside: repository({
      license: observation('NONE'),
      verified: observation(true),
      creatorAccounts: observation(accounts('1111')),
      openIssues: observation(3),
    }),
    outside: repository({ license: observation('Proprietary') }),
  },
  young_repository: {
    inside: repository({
      repositoryCreatedAt: daysAgo(89.9),
      verified: observation(true),
      creatorAccounts: observation(accounts('1111')),
      creatorAccountCreatedAt: observation(daysAgo(3_000)),
      openIssues: observation(3),
    }),
    outside: repository({ repositoryCreatedAt: daysAgo(90) }),
  },
  young_account: {
    inside: { ...LOVED, accountCreatedAt: observation(daysAgo(89.9)) },
    outside: { ...LOVED, accountCreatedAt: observation(daysAgo(90)) },
  },
  stated_archived: { inside: stated('archived'), outside: stated('deprecated') },
  stated_deprecated: { inside: stated('deprecated'), outside: stated('unmaintained') },
  stated_unmaintained: { inside: stated('unmaintained'), outside: repository({}) },
  very_widely_used: { inside: starred(4_000), outside: starred(3_999) },
  widely_used: { inside: starred(250), outside: starred(249) },
  used_by_some: { inside: starred(15), outside: starred(14) },
  little_used: { inside: starred(14), outside: starred(15) },
  use_unknown: { inside: repository({ stars: null, forks: null }), outside: starred(0) },
  active: { inside: committed(60), outside: committed(60.1) },
  maintained: { inside: committed(180), outside: committed(180.1) },
  slowing: { inside: committed(364.9), outside: committed(365) },
  stale: { inside: committed(365), outside: committed(364.9) },
  activity_outdated: { inside: committed(100, 60.1), outside: committed(100, 60) },
  activity_unknown: { inside: repository({ lastCommitAt: null }), outside: committed(4_000) },
  owner_verified: {
    inside: repository({ verified: observation(true) }),
    outside: repository({ verified: observation(false) }),
  },
  owner_not_verified: {
    inside: repository({ verified: observation(false) }),
    outside: repository({ verified: observation(true) }),
  },
  owner_unknown: {
    inside: repository({ verified: null }),
    outside: repository({ verified: observation(false) }),
  },
  accounts_proved: { inside: creator(PROVED, '0001'), outside: creator(PROVED, '0000') },
  accounts_attested: { inside: creator('mcp_registry', '1000'), outside: creator('mcp_registry', '0000') },
  creator_npm_proved: { inside: withAccount('0100'), outside: withAccount('1011') },
  creator_pypi_proved: { inside: withAccount('0010'), outside: withAccount('1101') },
  creator_network_proved: { inside: withAccount('0001'), outside: withAccount('1110') },
  platform_mark: {
    inside: account({ verifiedMark: observation(true) }),
    outside: account({ verifiedMark: observation(true), proved: observation(true) }),
  },
  linked_both_ways: {
    inside: account({ crossLink: observation('both') }),
    outside: account({ crossLink: observation('one') }),
  },
  linked_one_way: {
    inside: account({ crossLink: observation('one') }),
    outside: account({ crossLink: observation('none') }),
  },
  accounts_elsewhere: { inside: creator(PROVED, '0000'), outside: creator('registry', '0000') },
  accounts_not_proved: {
    inside: creator('registry', '0000'),
    outside: { ...creator('', ''), accounts: null },
  },
  accounts_unknown: { inside: { ...creator('', ''), accounts: null }, outside: creator('registry', '0000') },
  open_source: { inside: repository({}), outside: repository({ license: observation('Proprietary') }) },
  other_license: { inside: repository({ license: observation('Proprietary') }), outside: repository({}) },
  license_unknown: { inside: repository({ license: null }), outside: repository({}) },
};

function typeOf(facts: Facts): SubjectType {
  if ('parents' in facts) return 'skill';
  return 'portfolio' in facts ? 'creator' : 'social_account';
}

function reasonsOf(facts: Facts): readonly ReasonCode[] {
  const score = scoreByMethod(scoreRequest(facts, typeOf(facts)));
  return verdictOf({ ...score, facts, factsAt: NOW.toISOString() }).reasons;
}

describe('the rule of a reason', () => {
  it.each(Object.entries(BOUNDARIES))(
    'of %s begins and ends at its boundary',
    (code, { inside, outside }) => {
      expect(reasonsOf(inside)).toContain(code);
      expect(reasonsOf(outside)).not.toContain(code);
    },
  );

  it('of use begins at one of the counts, whatever the value of a signal', () => {
    const rows: [string, Facts, ReasonCode][] = [];
    for (const [word, lower] of [
      ['very_widely_used', 'widely_used'],
      ['widely_used', 'used_by_some'],
      ['used_by_some', 'little_used'],
    ] as const) {
      const { forks, downloads, audience } = USE_FROM[word];
      const unknown = { stars: null, forks: null };
      const downloaded = (count: number) => repository({ ...unknown, monthlyDownloads: observation(count) });
      rows.push(
        [`${forks} forks`, repository({ ...unknown, forks: observation(forks) }), word],
        [`${forks} forks less one`, repository({ ...unknown, forks: observation(forks - 1) }), lower],
        [`${downloads} downloads`, downloaded(downloads), word],
        [`${downloads} downloads less one`, downloaded(downloads - 1), lower],
        [`${audience} followers`, account({ audience: observation(audience) }), word],
        [`${audience} followers less one`, account({ audience: observation(audience - 1) }), lower],
      );
    }
    // Downloads are cheap to inflate, so they count only where stars are not known.
    rows.push([
      'stars',
      repository({ ...{ forks: null }, stars: observation(20), monthlyDownloads: observation(1e6) }),
      'used_by_some',
    ]);
    // Stars of a repository without forks are credible up to a limit.
    rows.push(['bought', repository({ stars: observation(50_000), forks: observation(0) }), 'used_by_some']);

    expect(rows.filter(([, facts, word]) => !reasonsOf(facts).includes(word)).map(([name]) => name)).toEqual(
      [],
    );
  });

  it('stands in words for every reason, and is tested at its boundary', () => {
    const codes = Object.keys(REASONS) as ReasonCode[];
    // Reasons about packages rest on advisories and have tests of their own. `limited` is for other backends.
    const own = codes.filter((code) => !PACKAGE_REASONS.includes(code));

    expect(codes.filter((code) => REASON_RULES[code] === undefined)).toEqual([]);
    expect(own.filter((code) => BOUNDARIES[code] === undefined)).toEqual(['limited']);
  });
});
