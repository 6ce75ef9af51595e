import { VerificationError } from '../errors/verification-error.ts';

/** Contribution of one signal to a score. */
interface SignedContribution {
  readonly signal: string;
  readonly value: number | null;
  readonly weight: number;
  readonly points: number;
  readonly evidence: number;
  readonly status: string;
  readonly source: string | null;
  readonly observed_at: string | null;
  readonly reason: string | null;
}

/** Content of a signed score. Keeps unknown members, which later versions of the service may add. */
export interface ScoreDocument {
  /** Origin of the directory that signed the score. */
  readonly iss: string;
  /** Canonical id of the subject. */
  readonly sub: string;
  /** Unix times, in seconds, at which the document was issued and at which it expires. */
  readonly iat: number;
  readonly exp: number;
  readonly subject: {
    readonly canonical_id: string;
    readonly type: string;
    readonly name: string;
    readonly repository: string | null;
  };
  /**
   * Published method, such as `rs-2.0.0`. `remote` if another backend computed the score, which is then signed as
   * received.
   */
  readonly method: string;
  readonly method_version: string | null;
  /** Name of the scoring backend. */
  readonly source: string;
  /** Facts from which the score was computed. */
  readonly inputs: { readonly subjectType: string; readonly facts: Readonly<Record<string, unknown>> };
  readonly inputs_hash: string;
  /** Time at which the score was computed; ages of facts are relative to it. */
  readonly scored_at: string;
  readonly contributions: readonly SignedContribution[];
  readonly caps: readonly {
    readonly name: string;
    readonly limit: number;
    readonly raw: number;
    readonly final: number;
  }[];
  readonly scores: {
    readonly trust: number;
    readonly confidence: number;
    readonly lower_bound: number;
    readonly tier: string;
    readonly own_trust: number;
    readonly own_confidence: number;
    readonly coverage: number | null;
    readonly status: string;
  };
  readonly score_version: string;
}

/** A parsed signed score that is not verified. */
export interface SignedScore {
  readonly header: { readonly alg: string; readonly kid: string; readonly typ: string };
  readonly document: ScoreDocument;
  /** JSON text of the document, exactly as signed. */
  readonly payload: string;
  /** Text that the signature covers: encoded header and document. */
  readonly signedText: string;
  readonly signature: Uint8Array<ArrayBuffer>;
}

/**
 * Allowed members of a header. Any other is rejected: it could point to keys of another party, or change the meaning of
 * the document (`crit`).
 */
const HEADER = ['alg', 'kid', 'typ'];
const TYPE = 'trust-score+jwt';
/** Maximum length of a signed score in characters. The document of a creator with many listings has about 20,000. */
const MAX_LENGTH = 1_000_000;

/**
 * Reads a signed score without verifying it. Throws a `VerificationError` if the text is not a signed score in compact
 * form with canonical JSON, or if its header has another algorithm or contains a key, a URL or an extension.
 *
 * @example
 * import { decodeScore } from '@trust-directory/sdk/verify';
 * console.log(decodeScore('eyJhbGciOiJFZERTQSJ9.e30.c2ln').document.score_version);
 */
export function decodeScore(jws: string): SignedScore {
  const text = typeof jws === 'string' ? jws.trim() : '';
  const [head = '', body = '', seal = '', ...more] = text.split('.');
  if (!head || !body || text.length > MAX_LENGTH || more.length > 0) throw malformed();
  const header = Object(jsonIn(head)) as SignedScore['header'];
  if (header.alg !== 'EdDSA')
    throw new VerificationError('wrong_algorithm', 'The document is not signed with EdDSA.');
  const extra = Object.keys(header).find((name) => !HEADER.includes(name));
  if (extra)
    throw new VerificationError(
      'forbidden_header',
      `The header has the member ${JSON.stringify(extra)}, which a signed score does not have.`,
    );
  if (header.typ !== TYPE) throw new VerificationError('wrong_type', `The document is not of type ${TYPE}.`);
  if (typeof header.kid !== 'string') throw malformed();
  const payload = textIn(body);
  const document = parse(payload);
  if (!isScoreDocument(document)) throw malformed();
  if (!isCanonical(payload, document))
    throw new VerificationError('malformed', 'The document is not in canonical form.');
  return { header, document, payload, signedText: `${head}.${body}`, signature: bytesIn(seal) };
}

/**
 * Serializes a JSON value in canonical form (RFC 8785): members sorted, no spaces.
 *
 * @internal
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}

/**
 * Returns true if a text is the canonical JSON of its value. Other JSON could have a member twice, and readers may
 * disagree about the value of such a member.
 */
function isCanonical(text: string, value: unknown): boolean {
  try {
    return text === canonicalJson(value);
  } catch {
    // Nested too deeply.
    return false;
  }
}

/** Latest time of a `Date`, in seconds. */
const END_OF_TIME = 8.64e12;

function isScoreDocument(value: unknown): value is ScoreDocument {
  const { iss, sub, iat, exp, subject, method, inputs, inputs_hash, scored_at, scores, ...rest } = Object(
    value,
  ) as Record<string, unknown>;
  const texts = [
    iss,
    sub,
    method,
    inputs_hash,
    scored_at,
    rest.score_version,
    rest.source,
    Object(inputs).subjectType,
  ];
  const { trust, confidence, lower_bound } = Object(scores) as Record<string, unknown>;
  return (
    texts.every((each) => typeof each === 'string') &&
    [trust, confidence, lower_bound].every((each) => Number.isFinite(each)) &&
    [iat, exp].every((each) => Number.isInteger(each) && Math.abs(each as number) <= END_OF_TIME) &&
    Object(subject).canonical_id === sub &&
    typeof Object(inputs).facts === 'object' &&
    Object(inputs).facts !== null &&
    Array.isArray(rest.contributions) &&
    Array.isArray(rest.caps)
  );
}

function jsonIn(part: string): unknown {
  return parse(textIn(part));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw malformed(cause);
  }
}

function textIn(part: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytesIn(part));
  } catch (cause) {
    throw malformed(cause);
  }
}

/** Decodes base64url strictly: without padding and spaces, and in only one encoding of the same bytes. */
function bytesIn(part: string): Uint8Array<ArrayBuffer> {
  if (!/^[\w-]*$/.test(part) || part.length % 4 === 1) throw malformed();
  const binary = atob(part.replaceAll('-', '+').replaceAll('_', '/'));
  const again = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  if (again !== part) throw malformed();
  return Uint8Array.from(binary, (each) => each.charCodeAt(0));
}

function malformed(cause?: unknown): VerificationError {
  return new VerificationError('malformed', 'The document is no signed score in compact form.', { cause });
}
