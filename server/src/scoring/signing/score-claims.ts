import { EMBEDDED_SOURCE, isOwnMethod } from '../embedded/current-method.ts';
import { canonicalContributions, canonicalInputs } from '../score-inputs.ts';
import type { AcceptedScore } from '../scores/accept-score.ts';
import type { Cap } from '../scoring-backend.ts';

/** Lifetime of a score, as defined by the scoring method. */
export const SCORE_LIFE_MS = 7 * 24 * 60 * 60 * 1000;

/** Media type of a signed score, without `application/`. Verifiers require it, so that they accept no other JWT. */
export const SIGNED_SCORE_TYPE = 'trust-score+jwt';

/** A score with its version: the data that is signed. */
export interface VersionedScore {
  subjectId: string;
  /** Score version: ISO 8601 with six decimals. */
  version: string;
  record: Omit<AcceptedScore['record'], 'freshness' | 'inputs_hash'>;
}

/** Content of a signed score: canonical JSON (RFC 8785), with the time until which it is valid. */
export interface SignedContent {
  text: string;
  expiresAt: Date;
}

/**
 * Serializes the content of a signed score. The content depends only on the issuer, the stored score and the number of
 * whole weeks since the score's version, so the same score signed again in the same week has the same content. Its time
 * of issue is the version, which is a time, plus these weeks; it expires a week later. Writes members in canonical
 * order instead of sorting them, because sorting would take several times as long in every metered call. A test
 * compares the result with that of a serializer that sorts.
 */
export function signedContent(
  issuer: string,
  { subjectId, version, record }: VersionedScore,
  weeks = 0,
): SignedContent {
  const issuedAt = Date.parse(version) + weeks * SCORE_LIFE_MS;
  const expiresAt = Math.floor((issuedAt + SCORE_LIFE_MS) / 1000);
  const { subjectType: type, now, subject } = record.inputs;
  const inputs = canonicalInputs(record.inputs);
  const times = { exp: expiresAt, iat: Math.floor(issuedAt / 1000) };
  const last = {
    inputs_hash: `sha256:${inputs.hash}`,
    iss: issuer,
    method: methodOf(record),
    method_version: record.method_version,
    score_version: version,
    scored_at: now,
    scores: {
      confidence: record.confidence,
      coverage: record.coverage,
      lower_bound: record.lower_bound,
      own_confidence: record.own_confidence,
      own_trust: record.own_trust,
      status: record.status,
      tier: record.tier,
      trust: record.trust,
    },
    source: record.source,
    sub: subjectId,
    subject: {
      canonical_id: subjectId,
      name: subject?.name ?? '',
      repository: subject?.repository ?? null,
      type,
    },
  };
  const text = [
    `{"caps":${JSON.stringify(record.caps.map(orderedCap))}`,
    `"contributions":${canonicalContributions(record.contributions)}`,
    JSON.stringify(times).slice(1, -1),
    `"inputs":${inputs.text}`,
    JSON.stringify(last).slice(1),
  ].join(',');
  return { text, expiresAt: new Date(expiresAt * 1000) };
}

/** Returns the published method by which anyone can compute the score again; `remote` for a remote backend's score. */
function methodOf({ source, method_version: version }: VersionedScore['record']): string {
  return source === EMBEDDED_SOURCE && version !== null && isOwnMethod(version) ? version : 'remote';
}

function orderedCap({ cap, final, limit, raw }: Cap) {
  return { final, limit, name: cap, raw };
}

/** Returns the number of whole weeks since a score version, which is a time; a score lives for one week. */
export function weeksSince(version: string, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - Date.parse(version)) / SCORE_LIFE_MS));
}
