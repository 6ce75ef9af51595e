import { hash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';
import type { Facts, ScoreRequest } from './scoring-backend.ts';

/** What a score was made from, kept with it: with the method version this is enough to make it again. */
export interface ScoreInputs {
  subjectType: string;
  now: string;
  facts: Facts;
}

/** The inputs of a request, as plain JSON. */
export function scoreInputs(request: ScoreRequest): ScoreInputs {
  return { subjectType: request.subject.type, now: request.now.toISOString(), facts: request.facts };
}

/**
 * SHA-256, in hexadecimal, of the canonical JSON (RFC 8785) of what a score's inputs say but for their moment: the same
 * facts of the same type, the same hash, whenever they are asked for.
 */
export function hashInputs({ subjectType, facts }: ScoreInputs): string {
  const inputs = { subjectType, facts };
  const written = JSON.stringify(inputs);
  const known = hashes.get(written);
  if (known !== undefined) return known;
  const made = hash('sha256', canonicalJson(inputs), 'hex');
  if (written.length > LONGEST_KEPT) return made;
  if (hashes.size >= MOST_HASHES) hashes.clear();
  hashes.set(written, made);
  return made;
}

// What is asked for is asked for again, and to bring its facts into canonical order takes as long as all else of a score.
const hashes = new Map<string, string>();
/** Facts of a repository take 1.5 kB; those of a creator with many listings have no such bound, and are not kept. */
const LONGEST_KEPT = 4_000;
const MOST_HASHES = 4_000;
