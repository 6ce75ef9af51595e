import { formatCount } from '../../platform/text/display-formats.ts';
import { METHOD } from '../embedded/current-method.ts';

/** Reasons left out of the sentence, because readers expect them: an open licence is the norm. */
const OMITTED: ReadonlySet<ReasonCode> = new Set(['open_source']);

/** Builds one sentence from the reasons, such as "Widely used and active; owner not verified; licence not known." */
export function verdictSentence(reasons: readonly ReasonCode[], texts: ReasonTexts = {}): string {
  const said = reasons.filter((code) => !OMITTED.has(code));
  const parts = [
    ...phrases(said, 'warning', texts),
    ...phrases(said, 'package', texts),
    ...phrases(said, 'status'),
    ...useAndActivity(said, texts),
    ...phrases(said, 'owner'),
    ...phrases(said, 'identity'),
    ...phrases(said, 'licence'),
  ];
  if (parts.length === 0) return 'No reasons were given with this score.';
  const text = parts.join('; ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Joins use and activity: "widely used and active", "few users so far, no recent changes". */
function useAndActivity(said: readonly ReasonCode[], texts: ReasonTexts): string[] {
  const isAccount = texts.use_unknown !== undefined;
  if (said.includes('use_unknown') && said.includes('activity_unknown') && !isAccount)
    return ['no usage or activity data yet'];
  const both = [...phrases(said, 'use', texts), ...phrases(said, 'activity', texts)];
  if (
    ['use_unknown', 'activity_unknown', 'activity_outdated'].some((code) => said.includes(code as ReasonCode))
  )
    return both;
  const isGood = said.includes('active') || said.includes('maintained');
  const isUsed = said.includes('very_widely_used') || said.includes('widely_used');
  return both.length === 0 ? [] : [both.join(isGood && isUsed ? ' and ' : ', ')];
}

function phrases(reasons: readonly ReasonCode[], kind: ReasonKind, texts: ReasonTexts = {}): string[] {
  return reasons
    .filter((code) => REASONS[code].kind === kind)
    .map((code) => texts[code] ?? REASONS[code].phrase);
}

/** Topic of a reason. The topics are listed in the order in which a sentence names them. */
type ReasonKind = 'warning' | 'package' | 'status' | 'use' | 'activity' | 'owner' | 'identity' | 'licence';

interface Reason {
  readonly kind: ReasonKind;
  /** Phrase within a sentence: no capital, no full stop. */
  readonly phrase: string;
}

/** Reasons of a verdict by their code in the API. A code never changes its meaning. */
export const REASONS = {
  archived: { kind: 'warning', phrase: 'archived by its owner' },
  deprecated: { kind: 'warning', phrase: 'marked deprecated' },
  scam_flag: { kind: 'warning', phrase: 'marked as a scam by its platform' },
  audience_spike: { kind: 'warning', phrase: 'audience grew implausibly fast' },
  no_license: { kind: 'warning', phrase: 'no licence, so nobody may use it' },
  young_repository: {
    kind: 'warning',
    phrase: `repository younger than ${METHOD.caps.young_repository.underDays} days`,
  },
  young_account: {
    kind: 'warning',
    phrase: `account younger than ${METHOD.caps.young_account.underDays} days`,
  },
  malware: { kind: 'warning', phrase: 'the published version contains malware' },
  malware_in_earlier_versions: { kind: 'warning', phrase: 'earlier versions contained malware' },
  malware_in_some_versions: {
    kind: 'warning',
    phrase: 'some versions contain malware, and the published one was not read',
  },
  limited: { kind: 'warning', phrase: 'trust limited by the scoring method' },

  former_malware: { kind: 'package', phrase: 'versions of some time ago contained malware' },
  malware_disputed: { kind: 'package', phrase: 'the malware is disputed for some versions' },
  research_package: { kind: 'package', phrase: 'proof of concept of researchers' },
  open_vulnerabilities: { kind: 'package', phrase: 'known vulnerabilities in the published version' },

  stated_archived: { kind: 'status', phrase: 'a list says that it is archived' },
  stated_deprecated: { kind: 'status', phrase: 'a list says that it is deprecated' },
  stated_unmaintained: { kind: 'status', phrase: 'a list says that it is no longer actively developed' },

  very_widely_used: { kind: 'use', phrase: 'very widely used' },
  widely_used: { kind: 'use', phrase: 'widely used' },
  used_by_some: { kind: 'use', phrase: 'some users' },
  little_used: { kind: 'use', phrase: 'few users so far' },
  use_unknown: { kind: 'use', phrase: 'no usage data' },

  active: { kind: 'activity', phrase: 'active' },
  maintained: { kind: 'activity', phrase: 'maintained' },
  slowing: { kind: 'activity', phrase: 'no recent changes' },
  stale: { kind: 'activity', phrase: 'unchanged for about a year or longer' },
  activity_outdated: { kind: 'activity', phrase: 'no recent reading of its activity' },
  activity_unknown: { kind: 'activity', phrase: 'no activity data' },

  owner_verified: { kind: 'owner', phrase: 'owner verified' },
  owner_not_verified: { kind: 'owner', phrase: 'owner not verified' },
  owner_unknown: { kind: 'owner', phrase: 'owner not known' },

  accounts_proved: { kind: 'identity', phrase: 'accounts proved' },
  accounts_attested: {
    kind: 'identity',
    phrase: 'the MCP registry names this account, but we have not verified it',
  },
  creator_npm_proved: { kind: 'identity', phrase: "creator's npm account proved" },
  creator_pypi_proved: { kind: 'identity', phrase: "creator's PyPI account proved" },
  creator_network_proved: { kind: 'identity', phrase: "creator's professional network account proved" },
  platform_mark: { kind: 'identity', phrase: "has its platform's verified mark, not verified here" },
  linked_both_ways: { kind: 'identity', phrase: 'links to a repository account and back, not verified here' },
  linked_one_way: { kind: 'identity', phrase: 'linked with a repository account in one direction only' },
  accounts_elsewhere: { kind: 'identity', phrase: 'only a social or messaging account proved' },
  accounts_not_proved: { kind: 'identity', phrase: 'no account proved' },
  accounts_unknown: { kind: 'identity', phrase: 'no account proved yet' },

  open_source: { kind: 'licence', phrase: 'open-source licence' },
  other_license: { kind: 'licence', phrase: 'custom licence' },
  license_unknown: { kind: 'licence', phrase: 'licence not known' },
} as const satisfies Readonly<Record<string, Reason>>;

export type ReasonCode = keyof typeof REASONS;

/** Texts that replace the phrases of reasons, such as texts with a date or with versions. */
export type ReasonTexts = Readonly<Partial<Record<ReasonCode, string>>>;

/** Phrases about use for accounts on platforms, which are followed and not used. */
export const AUDIENCE_PHRASES = {
  very_widely_used: 'very large audience',
  widely_used: 'large audience',
  used_by_some: 'some audience',
  little_used: 'small audience so far',
  use_unknown: 'audience not known',
} as const satisfies ReasonTexts;

/** Maximum days since the last commit or post for each word. Older changes are `stale`. */
export const ACTIVITY_DAYS = { active: 60, maintained: 180, slowing: 364 };

/** Maximum age of a reading, in days, for its fact to count as current. */
export const RECENT_READING_DAYS = 60;

/**
 * Number of days for which malware in earlier versions causes the verdict Warning, the last day included. They are
 * counted from `soundSince`, usually the release of the first version without malware. Afterwards the reason is only a
 * note.
 */
export const HIJACK_WARNING_DAYS = 90;

/** Minimum counts for each word about use. The word applies if at least one count reaches its minimum. */
export const USE_FROM = {
  very_widely_used: { stars: 4_000, forks: 900, downloads: 75_000, audience: 30_000 },
  widely_used: { stars: 250, forks: 100, downloads: 3_000, audience: 1_000 },
  used_by_some: { stars: 15, forks: 10, downloads: 100, audience: 30 },
} as const;

/** Counts that tell how much something is used. */
export type UseCount = keyof (typeof USE_FROM)['widely_used'];

const YOUNG_DAYS = METHOD.caps.young_repository.underDays;
const useRule = (word: keyof typeof USE_FROM) => {
  const { stars, forks, downloads, audience } = USE_FROM[word];
  return `it has at least ${formatCount(stars)} credible stars or ${formatCount(forks)} forks; or ${formatCount(downloads)} downloads a month if its stars are not known. Of an account, “${AUDIENCE_PHRASES[word]}” is said from an audience of ${formatCount(audience)}`;
};
const activityRule = (days: string) =>
  `the last commit or post was ${days} days ago, read in the last ${RECENT_READING_DAYS} days`;

const STATED_RULE =
  'the description in a list begins with these words, and the host of the repository was not read';

/** Rules of all reasons in words, as the page about the method shows them. Tests check each rule at its boundary. */
export const REASON_RULES: Readonly<Record<ReasonCode, string>> = {
  archived: 'the host says that the repository is archived',
  deprecated: 'the repository, or the published version of its package, is marked deprecated',
  scam_flag: "the account's platform warns about it",
  audience_spike: `the audience grew by more than ${100 * METHOD.caps.audience_spike.aboveGrowth}% within a day, and this caps trust`,
  no_license: 'it states that it has no licence, and this caps trust',
  young_repository: `the repository is younger than ${YOUNG_DAYS} days, and this caps trust`,
  young_account: `the account is younger than ${METHOD.caps.young_account.underDays} days, and this caps trust`,
  malware:
    'an advisory in force names the published version of the confirmed package as malware, or names every version while the published one was not read; this caps trust',
  malware_in_earlier_versions: `an advisory in force names other versions than the published one as malware, and the first sound version was released at most ${HIJACK_WARNING_DAYS} days ago, or at an unknown time; or the registry installs a pre-release with malware by default`,
  malware_in_some_versions:
    'an advisory in force names some versions as malware, and no stable published version was read',
  former_malware: `an advisory in force names other versions than the published one as malware, and the first sound version was released more than ${HIJACK_WARNING_DAYS} days ago`,
  malware_disputed: 'a record, or a statement of others, denies that some of these versions are malware',
  research_package: 'all records about malware say that it is a proof of concept of researchers',
  open_vulnerabilities:
    'an advisory in force that is not about malware names the published version of the confirmed package',
  limited: 'a scoring backend applied a cap for which this directory has no word',
  stated_archived: STATED_RULE,
  stated_deprecated: STATED_RULE,
  stated_unmaintained: STATED_RULE,
  very_widely_used: useRule('very_widely_used'),
  widely_used: useRule('widely_used'),
  used_by_some: useRule('used_by_some'),
  little_used: `at least one of these counts is known, and none is as high as that. Of an account, “${AUDIENCE_PHRASES.little_used}” is said`,
  use_unknown: `none of these counts is known. Of an account, “${AUDIENCE_PHRASES.use_unknown}” is said`,
  active: activityRule(`at most ${ACTIVITY_DAYS.active}`),
  maintained: activityRule(`${ACTIVITY_DAYS.active} to ${ACTIVITY_DAYS.maintained}`),
  slowing: activityRule(`${ACTIVITY_DAYS.maintained} to ${ACTIVITY_DAYS.slowing}`),
  stale: activityRule(`more than ${ACTIVITY_DAYS.slowing}`),
  activity_outdated: `the last commit or post was read more than ${RECENT_READING_DAYS} days ago; only its dates are given`,
  activity_unknown: 'no commit or post is known',
  owner_verified: "the repository's owner is proved here",
  owner_not_verified: "the repository's owner is not proved here",
  owner_unknown: 'the facts behind the score were not stored',
  accounts_proved:
    'the account itself, or an account of the creator that counts for its score, is proved here',
  accounts_attested: 'only the MCP registry names an account of the creator',
  creator_npm_proved: "the owner is not proved, but the creator's npm account is",
  creator_pypi_proved: "the owner is not proved, but the creator's PyPI account is",
  creator_network_proved: "the owner is not proved, but the creator's account on a professional network is",
  platform_mark: 'the platform shows its verification mark, but the account is not proved here',
  linked_both_ways: 'the profile and the repository host link to each other, but neither is proved here',
  linked_one_way: 'only one of the profile and the repository host links to the other',
  accounts_elsewhere: 'the only accounts proved here are of kinds that do not count for the score',
  accounts_not_proved: 'the accounts were checked, and none is proved here',
  accounts_unknown: 'no account of the creator was checked',
  open_source: 'the licence is an OSI-approved open-source licence',
  other_license: 'the licence is another one, or the repository states that it has none',
  license_unknown: 'the licence is not known',
};
