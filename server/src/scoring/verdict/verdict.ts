import { ATTESTING_SOURCE, PROOF_SOURCE } from '../facts/creator-identity.ts';
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

function reasonsOf({ contributions, caps, facts }: Judged): ReasonCode[] {
  const seen = new Map(contributions.map((contribution) => [contribution.signal, contribution]));
  const read = READINGS.flatMap((reading) => reading(seen) ?? []);
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

/** Each says one thing of a subject that has such a signal, and nothing of one that has not. */
const READINGS: readonly ((seen: Seen) => ReasonCode | null)[] = [
  // The logarithmic scale of stars and forks: 0.9 is about 4,000 stars, 0.6 about 250, 0.3 about 15.
  (seen) =>
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
  // Half is gone after 180 days without a commit: 0.8 is about two months, 0.5 half a year, 0.25 a year.
  (seen) =>
    graded(
      [seen.get('freshness'), seen.get('recency')],
      [
        [0.8, 'active'],
        [0.5, 'maintained'],
        [0.25, 'slowing'],
        [0, 'stale'],
      ],
      'activity_unknown',
    ),
  (seen) =>
    graded(
      [seen.get('verified_listing')],
      [
        [1, 'owner_verified'],
        [0, 'owner_not_verified'],
      ],
      'owner_unknown',
    ),
  (seen) =>
    graded(
      [seen.get('verified_accounts'), seen.get('verified_mark'), seen.get('cross_link')],
      [
        [0.2, sourceOfAccounts(seen) === ATTESTING_SOURCE ? 'accounts_attested' : 'accounts_proved'],
        [0, sourceOfAccounts(seen) === PROOF_SOURCE ? 'accounts_elsewhere' : 'accounts_not_proved'],
      ],
      'accounts_unknown',
    ),
  // No licence at all is a warning once it limits the trust; here it says no more than that none is open.
  (seen) =>
    graded(
      [seen.get('license')],
      [
        [1, 'open_source'],
        [0, 'other_license'],
      ],
      'license_unknown',
    ),
];

/** Who says whose the accounts are: a registry's word counts, but proves nothing here. */
function sourceOfAccounts(seen: Seen): string | null {
  return seen.get('verified_accounts')?.source ?? null;
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
