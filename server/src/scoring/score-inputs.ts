import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Facts } from './fact-types.ts';
import type { Contribution, ScoreRequest } from './scoring-backend.ts';

// `canonicalize` is CommonJS but its types describe an ES module: at run time the import is the function itself.
const serialize = canonicalize as unknown as (value: unknown) => string | undefined;

/**
 * Serializes a value as canonical JSON (RFC 8785), for hashing and signing. Throws for values without a JSON form, such
 * as NaN or undefined.
 */
function canonicalJson(value: unknown): string {
  const text = serialize(value);
  if (text === undefined) throw new TypeError('this value has no JSON form');
  return text;
}

/**
 * Inputs of a score, stored with the score. If the score was made by a published method, these inputs and the method's
 * version suffice to compute it again.
 */
export interface ScoreInputs {
  subjectType: string;
  now: string;
  facts: Facts;
  /** Names of the subject at the time `now`, for the score's signature. Scores of earlier releases lack this field. */
  subject?: { name: string; repository: string | null };
}

/** Returns the inputs of a request as plain JSON. */
export function scoreInputs(request: ScoreRequest): ScoreInputs {
  const { type, name, repository } = request.subject;
  return {
    subjectType: type,
    now: request.now.toISOString(),
    facts: request.facts,
    subject: { name, repository },
  };
}

/** Canonical JSON of a score's inputs without their time and names, and the SHA-256 of this JSON in hexadecimal. */
interface CanonicalInputs {
  text: string;
  hash: string;
}

/**
 * Hashes the inputs of a score without their time and names: SHA-256, in hexadecimal, of the canonical JSON (RFC 8785).
 * The same facts of the same type always have the same hash. A cached hash takes 0.08 to 0.21 × the time of a new one
 * (`npm run bench -- mechanisms`).
 */
export function hashInputs(inputs: ScoreInputs): string {
  return canonicalInputs(inputs).hash;
}

/**
 * Serializes and hashes the inputs of a score, without their time and names. The result is cached by the facts object:
 * do not change the facts afterwards.
 */
export function canonicalInputs({ subjectType, facts }: ScoreInputs): CanonicalInputs {
  const last = lastOf.get(facts);
  if (last?.subjectType === subjectType) return last.inputs;
  const inputs = inputsByText(subjectType, facts);
  lastOf.set(facts, { subjectType, inputs });
  return inputs;
}

// A call needs the canonical inputs three times: for the inputs hash, the evidence's content hash and the signature.
const lastOf = new WeakMap<Facts, { subjectType: string; inputs: CanonicalInputs }>();

function inputsByText(subjectType: string, facts: Facts): CanonicalInputs {
  const inputs = { subjectType, facts };
  const written = JSON.stringify(inputs);
  const cached = cache.get(written);
  if (cached !== undefined) return cached;
  const text = canonicalJson(inputs);
  const made = { text, hash: hash('sha256', text, 'hex') };
  if (written.length > MAX_CACHED_LENGTH) return made;
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(written, made);
  return made;
}

// Caches results, because requests repeat, and canonicalising the facts takes as long as computing the rest of a score.
const cache = new Map<string, CanonicalInputs>();
/**
 * Maximum characters of inputs that are cached; longer inputs are not cached. Repository facts take about 1,500. Facts
 * of a creator with many listings can be of any length.
 */
const MAX_CACHED_LENGTH = 4_000;
const MAX_CACHED = 4_000;

/**
 * Serializes contributions as canonical JSON. Writes the members in canonical order, because sorting would take several
 * times as long in every metered call. The text is cached by the array, because a call needs it twice, for the content
 * hash and for the signature; do not change the array afterwards.
 */
export function canonicalContributions(contributions: readonly Contribution[]): string {
  const known = contributionTexts.get(contributions);
  if (known !== undefined) return known;
  const text = JSON.stringify(contributions.map(orderedContribution));
  contributionTexts.set(contributions, text);
  return text;
}

const contributionTexts = new WeakMap<readonly Contribution[], string>();

function orderedContribution(contribution: Contribution) {
  const { evidence, observedAt, points, reason, signal, source, status, value, weight } = contribution;
  return { evidence, observed_at: observedAt, points, reason, signal, source, status, value, weight };
}
