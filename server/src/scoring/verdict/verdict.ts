import type { AccountFacts } from '../facts/account-facts.ts';
import { ATTESTING_SOURCE, PROOF_SOURCE } from '../facts/creator-identity.ts';
import type { CreatorAccounts, Observed } from '../facts/repository-facts.ts';
import type { Cap, Contribution, Facts } from '../scoring-backend.ts';
import { REASONS, type ReasonCode } from './reasons.ts';
import { sentenceOf } from './sentence.ts';

/** What a score comes to in one word. */
export type VerdictState = 'verified' | 'well_evidenced' | 'little_evidence' | 'warning';

/** A score in words: its state, one sentence, and the reasons that the sentence is made of. */
export interface Verdict {
  readonly state: VerdictState;
  readonly sentence: string;
  readonly reasons: readonly ReasonCode[];
}

/** What a verdict is made from: what a stored score keeps. */
export interface Judged {
  readonly confidence: number;
  readonly contributions: readonly Contribution[];
  readonly caps: readonly Cap[];
  /** What was known when the score was made; null where it was not kept. */
  readonly facts: Facts | null;
  /** The moment that the facts are of, ISO 8601; null where it was not kept. */
  readonly factsAt: string | null;
}

/**
 * The confidence, in points of 100, from which a score counts as well evidenced: about what stars, forks and the last
 * commit of a known repository give together while its owner is unknown.
 */
const WELL_EVIDENCED_FROM = 40;

/** The verdict of a score. The same score always has the same one. */
export function verdictOf(score: Judged): Verdict {
  const reasons = reasonsOf(score);
  const state = stateOf(score.confidence, reasons);
  return { state, sentence: sentenceOf(reasons), reasons };
}

/** A verdict as it was stored: in the words of today. A code that is not known any more says nothing. */
export function readVerdict(state: VerdictState, codes: readonly string[]): Verdict {
  const reasons = codes.filter((code): code is ReasonCode => Object.hasOwn(REASONS, code));
  return { state, sentence: sentenceOf(reasons), reasons };
}

/** Reasons that say of something that it was not seen, or that nobody has shown it. */
const UNSEEN: ReadonlySet<ReasonCode> = new Set([
  'use_unknown',
  'activity_unknown',
  'owner_unknown',
  'owner_not_verified',
  'accounts_unknown',
  'accounts_not_proved',
  // Proved, and counts for nothing: the figures are those of any other.
  'accounts_elsewhere',
  'license_unknown',
]);

/** What the entry itself gives: that it is here, and what it says of itself. */
const CONFIDENCE_OF_DEFAULTS = 12;

/**
 * Whether a score's figures are no more than what any subject has before anything is observed: thousands share them, so
 * that showing them would say something of this one that nobody knows.
 */
export function restsOnDefaults(confidence: number, reasons: readonly ReasonCode[]): boolean {
  return (
    confidence < CONFIDENCE_OF_DEFAULTS && reasons.length > 0 && reasons.every((code) => UNSEEN.has(code))
  );
}

/** Reasons that say that somebody has proved to be behind it, as the directory calls a creator verified. */
const PROVED: ReadonlySet<ReasonCode> = new Set(['owner_verified', 'accounts_proved', 'accounts_elsewhere']);

function stateOf(confidence: number, reasons: readonly ReasonCode[]): VerdictState {
  if (reasons.some((code) => REASONS[code].kind === 'warning')) return 'warning';
  if (confidence < WELL_EVIDENCED_FROM) return 'little_evidence';
  return reasons.some((code) => PROVED.has(code)) ? 'verified' : 'well_evidenced';
}

function reasonsOf({ contributions, caps, facts, factsAt }: Judged): ReasonCode[] {
  const seen = new Map(contributions.map((contribution) => [contribution.signal, contribution]));
  const read = READINGS.flatMap(
    (reading) => reading({ seen, facts, now: factsAt === null ? null : Date.parse(factsAt) }) ?? [],
  );
  return [...warningsOf(caps, facts), ...read];
}

/** Observed warnings: also those whose limit is above what the trust would have been anyway. */
function warningsOf(caps: readonly Cap[], facts: Facts | null): ReasonCode[] {
  const codes = new Set<ReasonCode>();
  if (facts !== null && 'archived' in facts) {
    if (facts.archived === true) codes.add('archived');
    if (facts.deprecated === true) codes.add('deprecated');
  }
  if (facts !== null && 'scamFlag' in facts && facts.scamFlag?.value === true) codes.add('scam_flag');
  for (const { cap } of caps) codes.add(isWarning(cap) ? cap : 'limited');
  return [...codes];
}

function isWarning(cap: string): cap is ReasonCode {
  return Object.hasOwn(REASONS, cap) && REASONS[cap as ReasonCode].kind === 'warning';
}

type Seen = ReadonlyMap<string, Contribution>;

/** The signals of a score, the facts that it was made from, and the moment of those, in milliseconds. */
interface Evidence {
  readonly seen: Seen;
  readonly facts: Facts | null;
  readonly now: number | null;
}

/**
 * Reads reasons of one kind; none of a subject that has no such signal. Words that state a fact (who proved what, when
 * something last changed) come from the fact and its date: the value of a signal may have a floor, or count a word of
 * somebody else.
 */
const READINGS: readonly ((evidence: Evidence) => ReasonCode | readonly ReasonCode[] | null)[] = [
  // The logarithmic scale of stars and forks: 0.9 is about 4,000 stars, 0.6 about 250, 0.3 about 15. It has no floor.
  ({ seen }) =>
    graded(
      [seen.get('stars'), seen.get('forks'), seen.get('audience')],
      [
        [0.9, 'very_widely_used'],
        [0.6, 'widely_used'],
        [0.3, 'used_by_some'],
        [0, 'little_used'],
      ],
      'use_unknown',
    ),
  ({ seen, facts, now }) =>
    applies(seen, 'freshness', 'recency') ? activityOf(lastChangeOf(facts), now) : null,
  ({ seen, facts }) => (applies(seen, 'verified_listing') ? ownerOf(facts) : null),
  ({ seen, facts }) =>
    applies(seen, 'verified_accounts', 'verified_mark', 'cross_link') ? identityOf(facts) : null,
  // No licence at all is a warning once it limits the trust; here it says no more than that none is open.
  ({ seen }) =>
    graded(
      [seen.get('license')],
      [
        [1, 'open_source'],
        [0, 'other_license'],
      ],
      'license_unknown',
    ),
];

function applies(seen: Seen, ...signals: readonly string[]): boolean {
  return signals.some((name) => {
    const status = seen.get(name)?.status;
    return status !== undefined && status !== 'not_applicable';
  });
}

/** Days since the last commit or post, and the word for up to so many; the last one is for all that is older. */
const ACTIVITY_DAYS = { active: 60, maintained: 180, slowing: 365 };

function lastChangeOf(facts: Facts | null): Observed<string> | null {
  if (facts === null) return null;
  if ('lastCommitAt' in facts) return facts.lastCommitAt;
  return 'lastPostAt' in facts ? facts.lastPostAt : null;
}

/** Beyond this age a reading no longer shows that nothing has changed since. */
const RECENT_READING_DAYS = 60;

/**
 * Derives the word from the date of the last change. A recent change is recent whenever it was read. Without one, a
 * reading of more than 60 days ago says nothing of today, unless nothing had changed for a year even then.
 */
function activityOf(fact: Observed<string> | null, now: number | null): ReasonCode {
  if (fact === null || now === null) return 'activity_unknown';
  const changedAt = Date.parse(fact.value);
  const today = activityAfter(now - changedAt);
  if (today === 'active' || today === 'maintained') return today;
  const readAt = Math.min(now, Date.parse(fact.observedAt));
  if (now - readAt <= RECENT_READING_DAYS * 86_400_000) return today;
  return activityAfter(readAt - changedAt) === 'stale' ? 'stale' : 'activity_outdated';
}

function activityAfter(ms: number): 'active' | 'maintained' | 'slowing' | 'stale' {
  const days = ms / 86_400_000;
  if (days <= ACTIVITY_DAYS.active) return 'active';
  if (days <= ACTIVITY_DAYS.maintained) return 'maintained';
  return days < ACTIVITY_DAYS.slowing ? 'slowing' : 'stale';
}

/** A listing is verified by the proof of its repository's owner; other accounts of its creator are named, and verify nothing. */
function ownerOf(facts: Facts | null): ReasonCode[] {
  if (facts === null || !('verified' in facts) || facts.verified === null) return ['owner_unknown'];
  if (facts.verified.value) return ['owner_verified'];
  return ['owner_not_verified', ...accountsOfCreator(facts.creatorAccounts)];
}

function accountsOfCreator(accounts: Observed<CreatorAccounts> | null): ReasonCode[] {
  if (accounts === null || accounts.source !== PROOF_SOURCE) return [];
  const { nodePackages, pythonPackages, professionalNetwork } = accounts.value;
  return [
    ...(nodePackages ? (['creator_npm_proved'] as const) : []),
    ...(pythonPackages ? (['creator_pypi_proved'] as const) : []),
    ...(professionalNetwork ? (['creator_network_proved'] as const) : []),
  ];
}

/** Only a proof made here is one: a mark that the platform gave, and a link that anyone may have set, are named as such. */
function identityOf(facts: Facts | null): ReasonCode | readonly ReasonCode[] {
  if (facts !== null && 'portfolio' in facts) return accountsReason(facts.accounts);
  if (facts !== null && 'crossLink' in facts) return platformReasons(facts);
  return 'accounts_unknown';
}

function accountsReason(accounts: Observed<CreatorAccounts> | null): ReasonCode {
  if (accounts === null) return 'accounts_unknown';
  const isAny = Object.values(accounts.value).some(Boolean);
  if (accounts.source === PROOF_SOURCE) return isAny ? 'accounts_proved' : 'accounts_elsewhere';
  return isAny && accounts.source === ATTESTING_SOURCE ? 'accounts_attested' : 'accounts_not_proved';
}

function platformReasons({ proved, verifiedMark, crossLink }: AccountFacts): readonly ReasonCode[] {
  if (proved?.value === true) return ['accounts_proved'];
  if (verifiedMark === null && crossLink === null) return ['accounts_unknown'];
  const said: ReasonCode[] = [];
  if (verifiedMark?.value === true) said.push('platform_mark');
  if (crossLink?.value === 'both') said.push('linked_both_ways');
  if (crossLink?.value === 'one') said.push('linked_one_way');
  return said.length === 0 ? ['accounts_not_proved'] : said;
}

/** The reason of the best observed value, `unknown` where none is observed, null where no such signal applies. */
function graded(
  signals: readonly (Contribution | undefined)[],
  grades: readonly (readonly [from: number, code: ReasonCode])[],
  unknown: ReasonCode,
): ReasonCode | null {
  const applying = signals.filter((signal) => signal !== undefined && signal.status !== 'not_applicable');
  if (applying.length === 0) return null;
  const values = applying.flatMap((signal) => signal?.value ?? []);
  const best = Math.max(...values);
  return values.length === 0 ? unknown : (grades.find(([from]) => best >= from)?.[1] ?? unknown);
}
