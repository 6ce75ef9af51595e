import { METHODS } from '../embedded/current-method.ts';
import { scoreByMethod } from '../embedded/embedded-backend.ts';
import { countIndependentLists } from '../embedded/signals-rs-2.0.0.ts';
import type { RepositoryFacts } from '../fact-types.ts';
import { ATTESTATION_SOURCE } from '../facts/creator-identity.ts';
import type { SubjectFacts } from '../facts/facts-kind.ts';
import type { BackendScore, ScoreRequest } from '../scoring-backend.ts';
import { type Verdict, verdictOf } from '../verdict/verdict.ts';
import type { MeasuredListing } from './measured-listings.queries.ts';

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

/** A scoring method that can be measured: its version, and the pure function that computes a score. */
export interface MeasuredMethod {
  readonly version: string;
  score(request: ScoreRequest): BackendScore;
}

/** Methods of this server, oldest first. */
export const MEASURED_METHODS: readonly MeasuredMethod[] = METHODS.map((method) => ({
  version: method.version,
  score: (request) => scoreByMethod(request, method),
}));

/**
 * Returns the facts without those from these sources, and counts the lists that name the repository without these
 * sources. Decides by the source that a fact states, so that this also works for facts that a later method adds. Facts
 * without a source, such as the creation date of a repository, stay.
 */
export function leaveOutSources(
  facts: RepositoryFacts,
  sources: ReadonlySet<string>,
  lists: readonly string[] = [],
): RepositoryFacts {
  const left = Object.entries(facts).map(([name, fact]) => [name, isFrom(fact, sources) ? null : fact]);
  // Any fact with a source can be unknown, so the type of each fact includes null.
  const { lists: named, packageConfirmed, observed, ...others } = Object.fromEntries(left) as RepositoryFacts;
  const listsLeft = countIndependentLists(lists.filter((list) => !sources.has(list)));
  const observedLeft = observed?.filter((record) => !sources.has(record.source)) ?? [];
  return {
    ...others,
    ...(named && listsLeft > 0 && { lists: { ...named, value: listsLeft } }),
    ...(packageConfirmed && { packageConfirmed }),
    ...(observedLeft.length > 0 && { observed: observedLeft }),
  };
}

function isFrom(fact: unknown, sources: ReadonlySet<string>): boolean {
  return (
    typeof fact === 'object' &&
    fact !== null &&
    'source' in fact &&
    typeof fact.source === 'string' &&
    sources.has(fact.source)
  );
}

/** Returns the facts without the description, for a listing whose description comes from a source that is left out. */
export function leaveOutDescription(facts: RepositoryFacts): RepositoryFacts {
  if (facts.metadata === null) return facts;
  return {
    ...facts,
    metadata: { ...facts.metadata, value: { ...facts.metadata.value, description: null } },
  };
}

/**
 * A kind of label leakage: a pattern for the words with which labels describe it, and the sources whose facts reveal
 * the label.
 */
interface Leak {
  readonly pattern: RegExp;
  readonly sources: readonly string[];
}

/**
 * Known kinds of label leakage. Labels describe leakage in words, so each new wording needs an entry here. Without the
 * entry, figures that need masking are not measured.
 */
const LEAKS: readonly Leak[] = [
  { pattern: /^mcpRegistryGithubNamespace\b/, sources: [ATTESTATION_SOURCE] },
  {
    pattern: /^presence in curated registries$/,
    sources: [
      ATTESTATION_SOURCE,
      // The official MCP registry, its copies, and two reviewed catalogues.
      'modelcontextprotocol/registry',
      'joelverhagen/mcp-insights',
      'TeamSparkAI/mcp-registry',
      'docker/mcp-registry',
      'anthropics/claude-plugins-official',
    ],
  },
];

/** Sources to mask because their facts reveal labels, and kinds of leakage that have no entry. */
interface LeakMask {
  readonly sources: ReadonlySet<string>;
  readonly unknown: readonly string[];
}

/**
 * Returns the sources to mask for labels with these kinds of leakage. The caller masks them for all compared subjects:
 * if only the leaking subjects were masked, the gap itself would reveal the label.
 */
export function maskOfLeaks(leaks: readonly string[]): LeakMask {
  const distinct = [...new Set(leaks)];
  const entryOf = (leak: string) => LEAKS.find(({ pattern }) => pattern.test(leak));
  return {
    sources: new Set(distinct.flatMap((leak) => entryOf(leak)?.sources ?? [])),
    unknown: distinct.filter((leak) => entryOf(leak) === undefined),
  };
}
