import { type BackendReply, describeShapeError } from '../backends/backend-reply.ts';
import { lowerBoundOf, tierOf } from '../embedded/compute-score.ts';
import { METHOD } from '../embedded/current-method.ts';
import { type ScoreInputs, scoreInputs } from '../score-inputs.ts';
import type { Cap, Contribution, ScoreRequest, Tier } from '../scoring-backend.ts';
import { type Verdict, verdictOf } from '../verdict/verdict.ts';

/** Columns of a stored score. The object goes into SQL as one JSON value. */
interface ScoreRecord {
  trust: number;
  confidence: number;
  lower_bound: number;
  tier: Tier;
  status: 'complete' | 'partial';
  own_trust: number;
  own_confidence: number;
  coverage: number | null;
  source: string;
  method_version: string | null;
  freshness: string;
  inputs_hash: string | null;
  inputs: ScoreInputs;
  contributions: Contribution[];
  caps: Cap[];
}

/** A validated score, which may be stored for its subject. */
export interface AcceptedScore {
  subjectId: string;
  subjectType: string;
  record: ScoreRecord;
  verdict: Verdict;
  /** Signature of the score, and the score version that the signature contains; absent if scores are not signed. */
  signed?: { jws: string; sha256: Buffer; version: string };
}

export type RejectionKind = 'malformed' | 'wrong_type' | 'incomplete' | 'double_zero';

/** Thrown for a reply that is not a usable score. The message is for logs, never for a caller. */
export class ScoreRejected extends Error {
  readonly kind: RejectionKind;

  constructor(kind: RejectionKind, reason: string) {
    super(reason);
    this.name = 'ScoreRejected';
    this.kind = kind;
  }
}

/**
 * Validates a backend's untrusted reply to a request: its shape (trust, confidence and lower bound are from 0 to 100),
 * its times, the subject's type, status `complete` or `partial`, and that trust and confidence are not both zero.
 * Throws ScoreRejected otherwise. A missing lower bound is derived conservatively, and one above trust is lowered to
 * trust. The tier always follows from the lower bound.
 */
export function acceptScore(reply: unknown, request: ScoreRequest, source: string): AcceptedScore {
  const usable = usableReply(reply, request);
  const lowerBound = Math.min(usable.trust, usable.lowerBound ?? cautiousLowerBound(usable));
  const contributions = (usable.contributions ?? []).map(onlyContribution);
  const caps = (usable.caps ?? []).map(onlyCap);
  return {
    subjectId: request.subject.id,
    subjectType: request.subject.type,
    record: {
      trust: usable.trust,
      confidence: usable.confidence,
      lower_bound: lowerBound,
      tier: tierOf(lowerBound),
      status: usable.status,
      own_trust: usable.ownTrust ?? usable.trust,
      own_confidence: usable.ownConfidence ?? usable.confidence,
      coverage: usable.coverage ?? null,
      source,
      method_version: usable.methodVersion ?? null,
      freshness: freshnessOf(usable, request.now),
      inputs_hash: usable.inputsHash ?? null,
      inputs: scoreInputs(request),
      contributions,
      caps,
    },
    verdict: verdictOf({
      confidence: usable.confidence,
      contributions,
      caps,
      facts: request.facts,
      factsAt: request.now.toISOString(),
    }),
  };
}

type UsableReply = BackendReply & { status: 'complete' | 'partial' };

function usableReply(reply: unknown, request: ScoreRequest): UsableReply {
  const problem = describeShapeError(reply);
  if (problem !== null) throw new ScoreRejected('malformed', problem);
  const shaped = reply as BackendReply;
  const { type } = request.subject;
  if (shaped.subjectType !== type)
    throw new ScoreRejected('wrong_type', `the reply is about another subject type than ${type}`);
  if (shaped.status === 'incomplete')
    throw new ScoreRejected('incomplete', 'too little is observed for a score');
  if (shaped.trust === 0 && shaped.confidence === 0) {
    throw new ScoreRejected('double_zero', 'trust and confidence are both zero');
  }
  return shaped as UsableReply;
}

// Derives the evidence n from the confidence. n units of evidence with prior strength k give at most the confidence
// n/(n + k), so the derived n is never higher than the real evidence.
function cautiousLowerBound({ trust, confidence }: BackendReply): number {
  const known = Math.min(confidence / 100, 0.999);
  return lowerBoundOf(trust, (METHOD.prior.strength * known) / (1 - known));
}

// Replaces a time in the future, which comes from a wrong clock, by the time of the request.
function freshnessOf({ freshness }: BackendReply, now: Date): string {
  if (freshness == null) return now.toISOString();
  if (!isInCalendar(freshness)) throw new ScoreRejected('malformed', 'the freshness is in no calendar');
  return Date.parse(freshness) > now.getTime() ? now.toISOString() : freshness;
}

/** Range of the day of the month in an ISO 8601 text. */
const DAY = { from: 8, to: 10 };
/** Matches times whose day is at most 28, so that the date exists in every month. Other times need a further check. */
const VALID_IN_ANY_MONTH = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d/;

// Returns true if the date exists. Date parses 31 February as 3 March, but PostgreSQL rejects it. Date also parses 24:00
// as the next day.
function isInCalendar(moment: string): boolean {
  return (
    VALID_IN_ANY_MONTH.test(moment) ||
    new Date(moment).getUTCDate() === Number(moment.slice(DAY.from, DAY.to))
  );
}

function onlyContribution(contribution: Contribution): Contribution {
  const { signal, value, weight, points, evidence, status, source, observedAt, reason } = contribution;
  if (observedAt !== null && !isInCalendar(observedAt))
    throw new ScoreRejected('malformed', 'an observation is in no calendar');
  return { signal, value, weight, points, evidence, status, source, observedAt, reason };
}

function onlyCap({ cap, limit, raw, final }: Cap): Cap {
  return { cap, limit, raw, final };
}
