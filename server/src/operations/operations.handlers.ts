import type { Authentication } from '../access/callers/authenticate-caller.ts';
import { findPackage } from '../catalog/advisories/read-package.ts';
import type { RepositorySubject } from '../catalog/subjects/resolve-subject.ts';
import { subjectReference } from '../catalog/subjects/subject.presenter.ts';
import type {
  OperationResponse,
  ScoreEvidence,
  ScoreResult,
  Contribution as WireContribution,
  LineageReport as WireLineage,
} from '../generated/types.gen.ts';
import type { Config } from '../platform/config/load-config.ts';
import { errorCode } from '../platform/database/database-errors.ts';
import type { HandlersOf, RequestOf } from '../platform/http/contract/handlers-of.ts';
import type { ScoreBasis } from '../scoring/explanations/explain-score.ts';
import type { AcceptedScore } from '../scoring/scores/accept-score.ts';
import type { Contribution } from '../scoring/scoring-backend.ts';
import { SCORE_LIFE_MS } from '../scoring/signing/score-claims.ts';
import { presentVerdict } from '../scoring/verdict/verdict.presenter.ts';
import { loadCallContext } from './call-context.ts';
import type { CallLimiter } from './call-limiter.ts';
import type { SettledRun } from './end-run.ts';
import type { LineageReport } from './lineage-report.queries.ts';
import type { OperationRequest } from './operation-call.ts';
import { type OperationOutcome, type OperationParts, runOperation } from './run-operation.ts';

/** Length of the text of a time without fractions of a second, such as `2026-11-20T09:14:03`. */
const WHOLE_SECONDS = 19;

/** Personal data of a subject, all null, because the service never derives personal data. */
const NOTHING_STRUCTURED = {
  firstName: null,
  lastName: null,
  email: null,
  city: null,
  state: null,
  country: null,
  company: null,
  jobTitle: null,
};

/**
 * Returns the time at which a score expires. The version of a score is the time of scoring; its fraction of a second is
 * copied, because a Date has no microseconds.
 */
function expiryOf(scoreVersion: string): string {
  const expiry = new Date(Date.parse(scoreVersion) + SCORE_LIFE_MS).toISOString();
  return expiry.slice(0, WHOLE_SECONDS) + scoreVersion.slice(WHOLE_SECONDS);
}

function evidenceOf({ record }: AcceptedScore, { scoreVersion, signature }: SettledRun): ScoreEvidence {
  return {
    status: 'confirmed',
    source: record.source,
    score_version: scoreVersion,
    freshness: record.freshness,
    expires_at: expiryOf(scoreVersion),
    method_version: record.method_version,
    inputs_hash: record.inputs_hash && `sha256:${record.inputs_hash}`,
    coverage: record.coverage,
    caps: record.caps.map(({ cap, ...figures }) => Object.assign({ name: cap }, figures)),
    signature: signature?.jws ?? null,
  };
}

// Name each member, because rest and spread take ten times as long.
function presentContribution(contribution: Contribution): WireContribution {
  const { signal, value, weight, points, evidence, status, source, reason, observedAt } = contribution;
  return { signal, value, weight, points, evidence, status, source, reason, observed_at: observedAt };
}

function presentLineage(
  { id, type, name, repository }: RepositorySubject,
  { creator, relationships, truncated }: LineageReport,
): WireLineage {
  return {
    subject: { id, type, name, repository },
    creator: {
      canonical_id: creator.id,
      handle: creator.handle,
      trust: creator.score?.trust ?? null,
      confidence: creator.score?.confidence ?? null,
      score_status: creator.score ? 'scored' : 'unavailable',
      scored_at: creator.score?.version ?? null,
    },
    relationships,
    ...(truncated && { truncated }),
  };
}

type Settled = OperationOutcome & { kind: 'settled' };

function resultOf(request: OperationRequest, { subject, score, settled }: Settled): ScoreResult {
  return {
    query: queryOf(request.subject),
    scores: { trustScore: score.record.trust, confidenceScore: score.record.confidence },
    verdict: presentVerdict(score.verdict),
    verification_status: score.record.status,
    mode: 'fast',
    resolved_subject: Object.assign(subjectReference(subject), {
      source: subject.source,
      source_id: subject.sourceId,
    }),
    score_evidence: evidenceOf(score, settled),
    contributions: score.record.contributions.map(presentContribution),
  };
}

/**
 * Returns the field `query` of a result: the text that names the subject and, if the text names a package version, this
 * version. The score itself is about the whole package.
 */
function queryOf(raw: string): ScoreResult['query'] {
  const version = findPackage(raw)?.version ?? null;
  const query = { raw, structured: NOTHING_STRUCTURED };
  return version === null ? query : { ...query, package_version: version };
}

function presentSettled(request: OperationRequest, outcome: Settled): OperationResponse {
  const result = resultOf(request, outcome);
  const receipt = {
    ok: true,
    channel: request.channel,
    resolved_subject: subjectReference(outcome.subject),
    ledger_id: outcome.ledgerId,
    charge_source: outcome.source,
    balance_after: outcome.settled.balance,
    settled: true,
  } as const;
  const { operation, subject, lineage } = outcome;
  if (operation !== 'agent_skill_lineage') return Object.assign(receipt, { operation, result });
  return { ...receipt, operation, result: { ...result, lineage: presentLineage(subject, lineage) } };
}

/** Builds the body of a successful response: a new score, a replayed receipt without its result, or a price. */
export function presentOperation(request: OperationRequest, outcome: OperationOutcome): OperationResponse {
  const { operation, channel } = request;
  const envelope = { ok: true, operation, channel, result: null } as const;
  switch (outcome.kind) {
    case 'settled':
      return presentSettled(request, outcome);
    case 'replay':
      return Object.assign(envelope, {
        resolved_subject: outcome.subject && subjectReference(outcome.subject),
        ledger_id: outcome.run.ledgerId,
        charge_source: outcome.run.source,
        balance_after: outcome.run.balance,
        signature_sha256: outcome.run.signatureSha256?.toString('hex') ?? null,
        settled: true as const,
        idempotent: true as const,
      });
    case 'quote':
      return Object.assign(envelope, {
        dry_run: true as const,
        price_credits: outcome.priceCredits,
        charge_source: outcome.source,
        balance_after: outcome.balance,
        resolved_subject: subjectReference(outcome.subject),
        settled: false as const,
        score_basis: outcome.basis && presentBasis(outcome.basis),
      });
  }
}

/** Renames the fields of a score's basis for the API. */
function presentBasis({ state, known, total, confidence, text }: ScoreBasis) {
  return { state, signals_known: known, signals_total: total, confidence, text };
}

interface OperationHandlerParts {
  operations: OperationParts;
  authentication: Authentication;
  callLimiter: CallLimiter;
}

function requestOf(body: RequestOf<'runOperation'>['body']): OperationRequest {
  return {
    operation: body.operation,
    subject: body.subject,
    channel: 'api',
    idempotencyKey: body.idempotency_key,
    apiKeyId: body.api_key_id ?? null,
    dryRun: body.dry_run ?? false,
  };
}

/** Builds the dependencies of metered calls for the API and the console; failures are logged without the request. */
export function operationPartsOf(
  parts: Pick<OperationParts, 'database' | 'planBook' | 'backend' | 'publicUrls' | 'signer'> & {
    config: Pick<Config, 'timings'>;
    log: { warn(fields: object, message: string): void };
  },
): OperationParts {
  const { database, planBook, backend, publicUrls, signer, config, log } = parts;
  return {
    database,
    planBook,
    backend,
    publicUrls,
    signer,
    timings: config.timings,
    onUnknownOutcome: (ledgerId, error) =>
      log.warn(
        { ledgerId, failure: (error as Error).name, sqlState: errorCode(error)?.code },
        'a ledger statement failed; the stored run decides',
      ),
    onScoringFailure: (ledgerId: string, failure: Error & { code: string }) =>
      log.warn(
        { ledgerId, failCode: failure.code, reason: failure.message },
        'the scoring backend gave no usable score',
      ),
  };
}

/** Creates the handler of the metered route: translates the request, runs it, translates the outcome. */
export function createOperationHandlers({
  operations,
  authentication,
  callLimiter,
}: OperationHandlerParts): HandlersOf<'runOperation'> {
  return {
    async runOperation(request, reply) {
      const operationRequest = requestOf(request.body);
      const outcome = await callLimiter.run(async (): Promise<OperationOutcome> => {
        const call = await authentication.admit(request, reply, (credential) =>
          loadCallContext(operations, credential, operationRequest),
        );
        return runOperation(operations, call);
      });
      const body = presentOperation(operationRequest, outcome);
      if (outcome.kind === 'settled') request.ledgerId = outcome.ledgerId;
      if (outcome.kind !== 'replay') return { status: 200, body };
      request.ledgerId = outcome.run.ledgerId;
      return { status: 200, headers: { 'Idempotent-Replayed': 'true' }, body };
    },
  };
}
