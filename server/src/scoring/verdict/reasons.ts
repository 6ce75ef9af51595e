import { METHOD } from '../embedded/current-method.ts';

/** Reasons left out of the sentence, because readers expect them: an open licence is the norm. */
const OMITTED: ReadonlySet<ReasonCode> = new Set(['open_source']);

/** Builds one sentence from the reasons, such as "Widely used and active; owner not verified; licence not known." */
export function verdictSentence(reasons: readonly ReasonCode[], texts: ReasonTexts = {}): string {
  const said = reasons.filter((code) => !OMITTED.has(code));
  const parts = [
    ...phrases(said, 'warning', texts),
    ...phrases(said, 'package', texts),
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
  if (said.includes('use_unknown') && said.includes('activity_unknown'))
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
type ReasonKind = 'warning' | 'package' | 'use' | 'activity' | 'owner' | 'identity' | 'licence';

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

/** Texts that replace the phrases of those reasons that name a date or versions. */
export type ReasonTexts = Readonly<Partial<Record<ReasonCode, string>>>;
