import { METHOD } from '../embedded/current-method.ts';
import { licenseClass } from '../embedded/license-class.ts';
import { credibleStarsOf } from '../embedded/repository-values.ts';
import { monthlyDownloads, recordsOf } from '../embedded/signals-rs-2.0.0.ts';
import type { AccountFacts, CreatorAccounts, Facts, Observed, PackageStanding } from '../fact-types.ts';
import { ATTESTATION_SOURCE, PROOF_SOURCE } from '../facts/creator-identity.ts';
import type { Cap, Contribution } from '../scoring-backend.ts';
import { packageReasons, packageTexts } from './package-reasons.ts';
import {
  ACTIVITY_DAYS,
  AUDIENCE_PHRASES,
  REASONS,
  RECENT_READING_DAYS,
  type ReasonCode,
  type ReasonTexts,
  USE_FROM,
  type UseCount,
  verdictSentence,
} from './reasons.ts';

/** One-word summary of a score. */
export type VerdictState = 'verified' | 'well_evidenced' | 'little_evidence' | 'warning';

/** A score in words: its state, one sentence, and the reasons behind the sentence. */
export interface Verdict {
  readonly state: VerdictState;
  readonly sentence: string;
  readonly reasons: readonly ReasonCode[];
  /**
   * Texts that replace the phrases of reasons about versions of a package, or an account's audience; absent if none.
   */
  readonly texts?: ReasonTexts;
}

/** Fields of a stored score from which its verdict is derived. */
export interface VerdictInput {
  readonly confidence: number;
  readonly contributions: readonly Contribution[];
  readonly caps: readonly Cap[];
  /** Facts at the time of the score; null if they were not stored. */
  readonly facts: Facts | null;
  /** Time of the facts, ISO 8601; null if it was not stored. */
  readonly factsAt: string | null;
}

/**
 * Minimum confidence, in points of 100, for the states `well_evidenced` and `verified`. Stars, forks, the last commit
 * and the age of a known repository together give about this much while its owner is unknown.
 */
export const WELL_EVIDENCED_FROM = 35;

/** Derives the verdict of a score; the same score always gives the same verdict. */
export function verdictOf(score: VerdictInput): Verdict {
  const { factsAt } = score;
  const ofPackage = packageReasons(score.facts, factsAt === null ? null : Date.parse(factsAt));
  const reasons = reasonsOf(score, ofPackage.codes);
  const last = lastChangeOf(score.facts);
  const activity = last === null ? {} : activityText(reasons, last.change, last.value, last.observedAt);
  const named = { ...(isAccount(score.facts) && AUDIENCE_PHRASES), ...ofPackage.texts };
  const texts = { ...activity, ...named };
  const state = stateOf(score.confidence, reasons);
  const verdict = { state, sentence: verdictSentence(reasons, texts), reasons };
  return Object.keys(named).length === 0 ? verdict : { ...verdict, texts: named };
}

/**
 * Restores a verdict from its stored state and codes. Builds its texts again, with the date of the last commit and the
 * package versions that reasons name. Ignores codes that no longer exist.
 */
export function readVerdict(
  state: VerdictState,
  codes: readonly string[],
  lastCommit: { readonly at: Date | null; readonly readAt: Date | null } = { at: null, readAt: null },
  standing: PackageStanding | null = null,
  now: number = Date.now(),
): Verdict {
  const reasons = codes.filter((code): code is ReasonCode => Object.hasOwn(REASONS, code));
  const { at, readAt } = lastCommit;
  const activity =
    at === null ? {} : activityText(reasons, 'commit', at.toISOString(), readAt?.toISOString() ?? null);
  const texts = standing === null ? {} : packageTexts(reasons, standing, now);
  const verdict = { state, sentence: verdictSentence(reasons, { ...activity, ...texts }), reasons };
  return standing === null ? verdict : { ...verdict, texts };
}

function isAccount(facts: Facts | null): boolean {
  return facts !== null && 'audience' in facts;
}

/** Reasons that only state missing evidence or a missing proof. */
const UNSEEN: ReadonlySet<ReasonCode> = new Set([
  'use_unknown',
  'activity_unknown',
  'owner_unknown',
  'owner_not_verified',
  'accounts_unknown',
  'accounts_not_proved',
  // This reason states a proof, but the proof does not affect trust or confidence.
  'accounts_elsewhere',
  'license_unknown',
]);

/** Confidence below which hardly anything was observed except what the subject states about itself. */
const CONFIDENCE_OF_DEFAULTS = 12;

/** Returns true if so little is known of a subject that many others have the same facts, and so the same figures. */
export function hasFewFacts(confidence: number): boolean {
  return confidence < CONFIDENCE_OF_DEFAULTS;
}

/**
 * Returns true if a score is a default, because nothing was observed about its subject. Thousands of such subjects have
 * the same figures, so showing these figures would claim knowledge that does not exist.
 */
export function isDefaultScore(confidence: number, reasons: readonly ReasonCode[]): boolean {
  return hasFewFacts(confidence) && reasons.length > 0 && reasons.every((code) => UNSEEN.has(code));
}

/**
 * Reasons that state a proof. One of them makes the verdict `verified`, if confidence is high enough and there is no
 * warning.
 */
const PROVED: ReadonlySet<ReasonCode> = new Set(['owner_verified', 'accounts_proved', 'accounts_elsewhere']);

function stateOf(confidence: number, reasons: readonly ReasonCode[]): VerdictState {
  if (reasons.some((code) => REASONS[code].kind === 'warning')) return 'warning';
  if (confidence < WELL_EVIDENCED_FROM) return 'little_evidence';
  return reasons.some((code) => PROVED.has(code)) ? 'verified' : 'well_evidenced';
}

function reasonsOf(
  { contributions, caps, facts, factsAt }: VerdictInput,
  ofPackage: readonly ReasonCode[],
): ReasonCode[] {
  const seen = new Map(contributions.map((contribution) => [contribution.signal, contribution]));
  const read = READINGS.flatMap(
    (reading) => reading({ seen, facts, now: factsAt === null ? null : Date.parse(factsAt) }) ?? [],
  );
  const isWarned = (code: ReasonCode) => REASONS[code].kind === 'warning';
  const warnings = new Set([...ofPackage.filter(isWarned), ...warningsOf(caps, facts)]);
  return [...warnings, ...ofPackage.filter((code) => !isWarned(code)), ...statedReasons(facts), ...read];
}

/** Returns what a list says about the status of a repository. It is no warning, because nobody has checked it. */
function statedReasons(facts: Facts | null): ReasonCode[] {
  if (facts === null || !('parents' in facts)) return [];
  return recordsOf(facts, 'stated_status').map(({ value }) => `stated_${value.status}` as const);
}

/**
 * Returns the warnings from facts and caps. The facts `archived`, `deprecated` and `scamFlag` cause theirs even if
 * trust is already below the limit of their cap. The other warnings are given only if their cap lowers trust.
 */
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

/** Signals of a score, the score's facts, and the time of the facts in milliseconds. */
interface Evidence {
  readonly seen: Seen;
  readonly facts: Facts | null;
  readonly now: number | null;
}

/**
 * Functions that each return the reasons of one topic; null if the subject has no signal about the topic. They read
 * facts and dates instead of signal values, because a value can be raised to a minimum or include a third party's claim.
 */
const READINGS: readonly ((evidence: Evidence) => ReasonCode | readonly ReasonCode[] | null)[] = [
  ({ seen, facts, now }) => (applies(seen, 'stars', 'forks', 'audience') ? useOf(facts, now) : null),
  ({ seen, facts, now }) =>
    applies(seen, 'freshness', 'recency') ? activityOf(lastChangeOf(facts), now) : null,
  ({ seen, facts }) => (applies(seen, 'verified_listing') ? ownerOf(facts) : null),
  ({ seen, facts }) =>
    applies(seen, 'verified_accounts', 'verified_mark', 'cross_link') ? identityOf(facts) : null,
  ({ seen, facts }) => (applies(seen, 'license') ? licenseOf(facts) : null),
];

function applies(seen: Seen, ...signals: readonly string[]): boolean {
  return signals.some((name) => {
    const status = seen.get(name)?.status;
    return status !== undefined && status !== 'not_applicable';
  });
}

function lastChangeOf(facts: Facts | null): (Observed<string> & { change: 'commit' | 'post' }) | null {
  if (facts === null) return null;
  if ('lastCommitAt' in facts) return facts.lastCommitAt && { ...facts.lastCommitAt, change: 'commit' };
  return 'lastPostAt' in facts ? facts.lastPostAt && { ...facts.lastPostAt, change: 'post' } : null;
}

/**
 * Derives the activity from the date of the last change. If the date was read more than 60 days ago, it does not show
 * the present activity: returns `activity_outdated`, whose text only names the dates.
 */
function activityOf(fact: Observed<string> | null, now: number | null): ReasonCode {
  if (fact === null || now === null) return 'activity_unknown';
  if (now - Date.parse(fact.observedAt) > RECENT_READING_DAYS * 86_400_000) return 'activity_outdated';
  return activityAfter(now - Date.parse(fact.value));
}

/** Returns the phrase about activity with the dates from which it was derived. */
function activityText(
  reasons: readonly ReasonCode[],
  change: 'commit' | 'post',
  changedAt: string,
  readAt: string | null = null,
): ReasonTexts {
  const code = reasons.find((each) => REASONS[each].kind === 'activity');
  if (code === undefined || code === 'activity_unknown') return {};
  const dated = `last ${change} ${dayOf(changedAt)}`;
  if (code === 'activity_outdated')
    return { [code]: readAt === null ? dated : `${dated}, read ${dayOf(readAt)}` };
  return { [code]: `${REASONS[code].phrase} (${dated})` };
}

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

function dayOf(at: string): string {
  return DAY.format(Date.parse(at));
}

function activityAfter(ms: number): 'active' | 'maintained' | 'slowing' | 'stale' {
  const days = ms / 86_400_000;
  if (days <= ACTIVITY_DAYS.active) return 'active';
  if (days <= ACTIVITY_DAYS.maintained) return 'maintained';
  return days < ACTIVITY_DAYS.slowing + 1 ? 'slowing' : 'stale';
}

/**
 * Returns the reasons about the owner. An owner is verified only if the account that owns the repository is proved.
 * Other proved accounts of the creator are named, but do not verify the listing.
 */
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

/**
 * Returns the reasons on identity. Only a proof made in this directory counts as a proof. A platform's verification
 * mark, and links that anyone can set, have separate reasons.
 */
function identityOf(facts: Facts | null): ReasonCode | readonly ReasonCode[] {
  if (facts !== null && 'portfolio' in facts) return accountsReason(facts.accounts);
  if (facts !== null && 'crossLink' in facts) return platformReasons(facts);
  return 'accounts_unknown';
}

function accountsReason(accounts: Observed<CreatorAccounts> | null): ReasonCode {
  if (accounts === null) return 'accounts_unknown';
  const isAny = Object.values(accounts.value).some(Boolean);
  if (accounts.source === PROOF_SOURCE) return isAny ? 'accounts_proved' : 'accounts_elsewhere';
  return isAny && accounts.source === ATTESTATION_SOURCE ? 'accounts_attested' : 'accounts_not_proved';
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

/** Returns how much a repository or an account is used, by its counts. */
function useOf(facts: Facts | null, now: number | null): ReasonCode {
  const counts = Object.entries(countsOf(facts, now)) as [UseCount, number][];
  if (counts.length === 0) return 'use_unknown';
  const words = Object.keys(USE_FROM) as (keyof typeof USE_FROM)[];
  return words.find((word) => counts.some(([name, count]) => count >= USE_FROM[word][name])) ?? 'little_used';
}

function countsOf(facts: Facts | null, now: number | null): Partial<Record<UseCount, number>> {
  if (facts !== null && 'audience' in facts)
    return facts.audience === null ? {} : { audience: facts.audience.value };
  if (facts === null || now === null || !('stars' in facts)) return {};
  const downloads = facts.stars === null ? monthlyDownloads(facts) : undefined;
  return {
    ...(facts.stars !== null && { stars: credibleStarsOf(facts, new Date(now), METHOD.repository) }),
    ...(facts.forks !== null && { forks: facts.forks.value }),
    ...(downloads !== undefined && { downloads }),
  };
}

/** Returns the reason about the licence. “No licence” counts like a licence that is not open source. */
function licenseOf(facts: Facts | null): ReasonCode {
  const license = facts !== null && 'license' in facts ? facts.license : null;
  const kind = license === null ? null : licenseClass(license.value);
  if (kind === null) return 'license_unknown';
  return kind === 'osi' ? 'open_source' : 'other_license';
}
