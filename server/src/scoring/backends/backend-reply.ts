import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Cap, Contribution } from '../scoring-backend.ts';

/**
 * Thrown when the scoring backend answers 429. Only this failure is retried, after the delay that the backend requests.
 */
export class BackendBusy extends Error {
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number) {
    super('the scoring backend is busy');
    this.name = 'BackendBusy';
    this.retryAfterMs = retryAfterMs;
  }
}

/** A reply of valid shape. Fields that the backend omits are absent or null. */
export interface BackendReply {
  subjectType: string;
  trust: number;
  confidence: number;
  status: 'complete' | 'partial' | 'incomplete';
  lowerBound?: number | null;
  ownTrust?: number | null;
  ownConfidence?: number | null;
  freshness?: string | null;
  coverage?: number | null;
  methodVersion?: string | null;
  inputsHash?: string | null;
  contributions?: Contribution[] | null;
  caps?: Cap[] | null;
}

// Rejects control characters and lone surrogates. PostgreSQL's jsonb cannot store U+0000 or lone surrogates.
const plainText = (maxLength: number) => ({ type: 'string', maxLength, pattern: '^[^\\p{Cc}\\p{Cs}]*$' });
const points = { type: 'number', minimum: 0, maximum: 100 };
const optional = (schema: { type: string }) => ({ ...schema, type: [schema.type, 'null'] });
const moment = { type: 'string', pattern: '^[12]\\d{3}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,6})?Z$' };
const number = { type: 'number' };

const contribution = {
  type: 'object',
  required: ['signal', 'value', 'weight', 'points', 'evidence', 'status', 'source', 'observedAt', 'reason'],
  properties: {
    signal: plainText(100),
    value: optional(number),
    weight: number,
    points: number,
    evidence: number,
    status: { enum: ['observed', 'missing', 'not_applicable'] },
    source: optional(plainText(200)),
    observedAt: optional(moment),
    reason: optional(plainText(500)),
  },
};

const cap = {
  type: 'object',
  required: ['cap', 'limit', 'raw', 'final'],
  properties: { cap: plainText(100), limit: points, raw: points, final: points },
};

// Members that are not listed here are ignored, so a backend may send additional members.
const schema = {
  type: 'object',
  required: ['subjectType', 'trust', 'confidence', 'status'],
  properties: {
    subjectType: { type: 'string' },
    trust: points,
    confidence: points,
    status: { enum: ['complete', 'partial', 'incomplete'] },
    lowerBound: optional(points),
    ownTrust: optional(points),
    ownConfidence: optional(points),
    freshness: optional(moment),
    coverage: { type: ['number', 'null'], minimum: 0, maximum: 1 },
    methodVersion: optional(plainText(50)),
    inputsHash: optional({ type: 'string', pattern: '^[0-9a-f]{64}$' } as { type: string }),
    contributions: { type: ['array', 'null'], maxItems: 100, items: contribution },
    caps: { type: ['array', 'null'], maxItems: 20, items: cap },
  },
};

// Ajv rejects NaN and infinities as numbers. The schema is compiled on the first reply, because most processes
// receive none.
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateSchema: false });

/**
 * Describes for the log why the shape of a reply is invalid; null if it is valid. The text never quotes the reply.
 */
export function describeShapeError(reply: unknown): string | null {
  if (ajv.validate(schema, reply)) return null;
  return ajv.errorsText(ajv.errors, { dataVar: 'reply' });
}
