import type { components } from '../src/generated/schema.ts';

type Schemas = components['schemas'];

/** An access key with the shape of a real one; its checksum is wrong. */
export const KEY = 'svc_live_0123456789abcdefghijABCDEFGHIJ01234567';

const creator: Schemas['AgentCreator'] = {
  handle: 'example-labs',
  displayName: 'Example Labs',
  verified: false,
  trustScore: null,
  confidence: null,
};

export const agent: Schemas['Agent'] = {
  id: 'AGT-7K2MQ9XD',
  type: 'agent',
  name: 'Changelog Agent',
  description: 'Drafts release notes.',
  category: 'coding',
  tags: [],
  creator,
  repoHost: null,
  repositoryUrl: 'https://github.com/example-labs/changelog-agent',
  verified: false,
  trustScore: 60.8,
  confidence: 11.3,
  tier: 'low',
  listedAt: '2026-11-20T09:00:00Z',
  updatedAt: '2026-11-20T09:00:00Z',
};

export const page: Schemas['AgentPage'] = { data: [agent], total: 1, offset: 0, limit: 20, nextCursor: null };

export const subject: Schemas['ResolvedSubject'] = {
  canonical_id: 'b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88',
  type: 'agent',
  name: 'Changelog Agent',
  repository: 'example-labs/changelog-agent',
  public_path: '/a/example-labs/changelog-agent',
  agent_id: 'AGT-7K2MQ9XD',
};

const balance: Schemas['Balance'] = {
  period_kind: 'month',
  period_start: '2026-11-01T00:00:00Z',
  period_end: '2026-12-01T00:00:00Z',
  included_credits: 25,
  included_used: 1,
};

/** Public record of `subject`. */
export const record: Schemas['Subject'] = {
  ...subject,
  trustScore: 60.8,
  confidence: 48.2,
  tier: 'medium',
  score_version: '2026-11-20T09:14:03.482915Z',
};

const result: Schemas['ScoreResult'] = {
  query: {
    raw: 'example-labs/changelog-agent',
    structured: {
      firstName: null,
      lastName: null,
      email: null,
      city: null,
      state: null,
      country: null,
      company: null,
      jobTitle: null,
    },
  },
  scores: { trustScore: 60.8, confidenceScore: 48.2 },
  verification_status: 'complete',
  mode: 'fast',
  resolved_subject: { ...subject, source: 'registration', source_id: '5d81f7a3-e209-4c6b-b4d0-92a6c3f8e71d' },
  score_evidence: {
    status: 'confirmed',
    source: 'embedded',
    score_version: '2026-11-20T09:14:03.482915Z',
    freshness: '2026-11-10T10:00:00Z',
    method_version: 'rs-1.0.0',
    inputs_hash: 'sha256:00',
    coverage: 0.7,
    expires_at: '2026-11-27T09:14:03.482915Z',
    caps: [],
  },
  contributions: [],
};

export const freshRun: Schemas['AgentScoreResponse'] = {
  ok: true,
  operation: 'agent_score',
  channel: 'api',
  result,
  resolved_subject: subject,
  ledger_id: '01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47',
  charge_source: 'free',
  balance_after: balance,
  settled: true,
};

export const replay: Schemas['OperationReplay'] = {
  ok: true,
  operation: 'agent_score',
  channel: 'api',
  result: null,
  resolved_subject: subject,
  idempotent: true,
  ledger_id: '01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47',
  charge_source: 'free',
  balance_after: balance,
};

export const dryRun: Schemas['OperationDryRun'] = {
  ok: true,
  operation: 'agent_score',
  channel: 'api',
  dry_run: true,
  result: null,
  price_credits: 10,
  resolved_subject: subject,
  charge_source: 'free',
  balance_after: balance,
  settled: false,
};

export const receipt: Schemas['Receipt'] = {
  ledger_id: '01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47',
  state: 'settled',
  attempt: 1,
  idempotency_key: 'order-1',
  operation: 'agent_score',
  subject,
  price_credits: 10,
  amount: 1,
  charged: 1,
  unit: 'call',
  charge_source: 'free',
  period: {
    period_kind: 'month',
    period_start: '2026-11-01T00:00:00Z',
    period_end: '2026-12-01T00:00:00Z',
  },
  key_id: '3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55',
  score_version: '2026-11-20T09:14:03.482915Z',
  failure: null,
  created_at: '2026-11-20T09:14:02.100000Z',
  ended_at: '2026-11-20T09:14:03.482915Z',
};

/** Creates an error body of the endpoints under `/api/svc/`. */
export function operationError(code: Schemas['OperationErrorCode'], rest: object = {}): object {
  return { ok: false, operation: 'agent_score', channel: 'api', error: `It failed: ${code}.`, code, ...rest };
}

/** Creates an error body of all other endpoints. */
export function directoryError(
  status: number,
  error: Schemas['DirectoryErrorCode'],
): Schemas['DirectoryError'] {
  return { error, message: `It failed: ${error}.`, status };
}
