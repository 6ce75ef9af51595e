import type { RepositoryFacts } from '../fact-types.ts';
import type { SubjectFacts } from '../facts/facts-kind.ts';
import type { BackendScore } from '../scoring-backend.ts';
import { type Verdict, verdictOf } from '../verdict/verdict.ts';
import { leaveOutDescription, leaveOutSources } from './leave-out-sources.ts';
import type { MeasuredListing } from './measured-listings.queries.ts';
import type { MeasuredMethod } from './measured-methods.ts';

/** A listing with its facts. */
export interface KnownListing {
  readonly listing: MeasuredListing;
  readonly known: SubjectFacts<RepositoryFacts>;
}

/** A listing with the score and verdict of one method. */
export interface ScoredListing extends KnownListing {
  readonly score: BackendScore;
  readonly verdict: Verdict;
}

const NO_SOURCES: ReadonlySet<string> = new Set();

/**
 * Scores a listing by a method, without the facts of some sources, and stores nothing. Returns null if the evidence is
 * too little for a score.
 */
export function scoreListing(
  method: MeasuredMethod,
  { listing, known }: KnownListing,
  leftOut: ReadonlySet<string> = NO_SOURCES,
): ScoredListing | null {
  const { subject, now } = known;
  const facts = factsWithout(known.facts, listing, leftOut);
  const score = method.score({ operation: 'validation', runId: null, subject, facts, now });
  if (score.status === 'incomplete') return null;
  const { confidence, contributions, caps } = score;
  const verdict = verdictOf({ confidence, contributions, caps, facts, factsAt: now.toISOString() });
  return { listing, known, score, verdict };
}

function factsWithout(
  facts: RepositoryFacts,
  { descriptionList, lists }: MeasuredListing,
  leftOut: ReadonlySet<string>,
): RepositoryFacts {
  if (leftOut.size === 0) return facts;
  const left = leaveOutSources(facts, leftOut, lists);
  return descriptionList !== null && leftOut.has(descriptionList) ? leaveOutDescription(left) : left;
}

/** Scores listings by a method. Those with too little evidence are omitted. */
export function scoreListings(method: MeasuredMethod, listings: readonly KnownListing[]): ScoredListing[] {
  return listings.map((each) => scoreListing(method, each)).filter((scored) => scored !== null);
}
