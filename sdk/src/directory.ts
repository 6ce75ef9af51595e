/**
 * Public reads of the directory as plain functions. A bundle contains only those that you import. Results, retries and
 * errors are those of the client; no key is ever sent.
 *
 * @packageDocumentation
 */

import type {
  Agent,
  AgentPage,
  ChangePage,
  IdentityProfile,
  Lineage,
  PackageReport,
  ScoreDifference,
  ScoreExplanation,
  ScoreHistory,
  ScoreSignature,
  SigningKeys,
  SubjectLookups,
  SubjectRecord,
} from './contract/models.ts';
import type { AgentQuery } from './resources/agents.ts';
import type { ChangeQuery } from './resources/changes.ts';
import { PACKAGE } from './resources/packages.ts';
import type { DifferenceQuery, ExplainQuery, HistoryQuery } from './resources/scores.ts';
import {
  LOOKUP,
  type LookupItem,
  type LookupQuery,
  lookupInput,
  lookupManyInput,
} from './resources/subjects.ts';
import { type ApiPromise, type Call, createCall } from './transport/call.ts';
import { type CallOptions, resolveOptions, type TrustDirectoryOptions } from './transport/client-options.ts';
import { CALL_RULES, CLIENT_RULES } from './transport/option-rules.ts';
import { type PagePromise, paginate } from './transport/pagination.ts';
import { createSend } from './transport/send-request.ts';

/** Options of a read: those of a client, except the key. */
export interface ReadOptions extends Omit<TrustDirectoryOptions, 'apiKey' | 'allowInsecure'>, CallOptions {}

const { apiKey: _key, allowInsecure: _insecure, ...RULES } = { ...CLIENT_RULES, ...CALL_RULES };

function readerOf(options?: ReadOptions): Call {
  const settings = resolveOptions(options, RULES);
  return createCall(settings.baseUrl, createSend({ ...settings, apiKey: null }));
}

/**
 * Resolves to one page of the directory, best trust first unless `sort` is given. Iterating also reads all following
 * pages.
 *
 * @example
 * for await (const agent of listAgents({ q: 'browser automation' })) console.log(agent.name);
 */
export function listAgents(query?: AgentQuery, options?: ReadOptions): PagePromise<AgentPage> {
  const read = readerOf(options);
  return paginate((next) => read('get', '/api/agents', 'data', { query: { ...query, ...next } }));
}

/**
 * Reads an agent or skill by directory id.
 *
 * @example
 * const { name, trustScore } = await getAgent('AGT-7K2MQ9XD');
 */
export function getAgent(id: string, options?: ReadOptions): ApiPromise<Agent> {
  return readerOf(options)('get', '/api/agents/{id}', 'id', { path: id });
}

/**
 * Reads ancestors and descendants of an entry by directory id.
 *
 * @example
 * const { ancestors, descendants } = await getAgentLineage('AGT-7K2MQ9XD');
 */
export function getAgentLineage(id: string, options?: ReadOptions): ApiPromise<Lineage> {
  return readerOf(options)('get', '/api/agents/{id}/lineage', 'root', { path: id });
}

/**
 * Reads a creator's profile by handle.
 *
 * @example
 * const { displayName, trustScore } = await getIdentity('google-gemini');
 */
export function getIdentity(handle: string, options?: ReadOptions): ApiPromise<IdentityProfile> {
  return readerOf(options)('get', '/api/identity/{handle}', 'handle', { path: handle });
}

/**
 * Finds the subject of a name, handle, repository, package, URL or id, with its stored score.
 *
 * @example
 * const { trustScore, confidence } = await lookupSubject('npm:@upstash/context7-mcp');
 */
export function lookupSubject(
  subject: string,
  query?: LookupQuery,
  options?: ReadOptions,
): ApiPromise<SubjectRecord> {
  return readerOf(options)('get', LOOKUP, 'canonical_id', lookupInput(subject, query));
}

/**
 * Looks up 1 to 100 subjects, such as the packages of a lock file. Resolves to one result for each, in their order.
 *
 * @example
 * const { data } = await lookupSubjects(['npm:mcp-remote@0.1.15', 'pypi:mcp==1.9.4']);
 */
export function lookupSubjects(
  subjects: readonly LookupItem[],
  options?: ReadOptions,
): ApiPromise<SubjectLookups> {
  return readerOf(options)('post', '/api/subjects/lookup', 'data', lookupManyInput(subjects));
}

/**
 * Reads a subject by canonical id.
 *
 * @example
 * const { name, public_path } = await getSubject('b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88');
 */
export function getSubject(canonicalId: string, options?: ReadOptions): ApiPromise<SubjectRecord> {
  const input = { path: canonicalId };
  return readerOf(options)('get', '/api/subjects/{canonical_id}', 'canonical_id', input);
}

/**
 * Explains a stored score: what each signal added to trust and confidence, with its source.
 *
 * @example
 * const { contributions } = await explainScore('b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88');
 */
export function explainScore(
  canonicalId: string,
  query?: ExplainQuery,
  options?: ReadOptions,
): ApiPromise<ScoreExplanation> {
  const input = { path: canonicalId, query };
  return readerOf(options)('get', '/api/subjects/{canonical_id}/explain', 'subject', input);
}

/**
 * Resolves to one page of stored scores, the current one first. Iterating also reads all following pages.
 *
 * @example
 * const { data } = await listScoreHistory('b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88', { limit: 5 });
 */
export function listScoreHistory(
  canonicalId: string,
  query?: HistoryQuery,
  options?: ReadOptions,
): PagePromise<ScoreHistory> {
  const read = readerOf(options);
  return paginate((next) =>
    read('get', '/api/subjects/{canonical_id}/history', 'data', {
      path: canonicalId,
      query: { ...query, ...next },
    }),
  );
}

/**
 * Compares two scores, signal by signal, and says why they differ.
 *
 * @example
 * const { summary } = await compareScores('b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88');
 */
export function compareScores(
  canonicalId: string,
  query?: DifferenceQuery,
  options?: ReadOptions,
): ApiPromise<ScoreDifference> {
  const input = { path: canonicalId, query };
  return readerOf(options)('get', '/api/subjects/{canonical_id}/difference', 'subject', input);
}

/**
 * Reads the score of a subject as a signed document, by canonical id. Verify it with `@trust-directory/sdk/verify`.
 *
 * @example
 * const { jws } = await getScoreSignature('b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88');
 */
export function getScoreSignature(canonicalId: string, options?: ReadOptions): ApiPromise<ScoreSignature> {
  const input = { path: canonicalId };
  return readerOf(options)('get', '/api/subjects/{canonical_id}/signature', 'jws', input);
}

/**
 * Reads the public keys that verify the service's signatures.
 *
 * @example
 * const { keys } = await listSigningKeys();
 */
export function listSigningKeys(options?: ReadOptions): ApiPromise<SigningKeys> {
  return readerOf(options)('get', '/.well-known/jwks.json', 'keys', {});
}

/**
 * Reads the known advisories of a package of npm or PyPI, or of one of its versions, and whether they affect it.
 *
 * @example
 * const { standing, advisories } = await getPackage('npm:mcp-remote@0.1.15');
 */
export function getPackage(name: string, options?: ReadOptions): ApiPromise<PackageReport> {
  return readerOf(options)('get', PACKAGE, 'standing', { path: name });
}

/**
 * Resolves to one page of changes of the directory, oldest first. Iterating also reads all following pages, up to the
 * newest published change. Store the `cursor` of the last page to continue from there later.
 *
 * @example
 * const { data, cursor } = await listChanges({ since: '2026-11-20T00:00:00Z', kinds: 'verdict,removal' });
 */
export function listChanges(query?: ChangeQuery, options?: ReadOptions): PagePromise<ChangePage> {
  const read = readerOf(options);
  return paginate((next) => read('get', '/api/changes', 'data', { query: { ...query, ...next } }));
}

export * from './errors/public-errors.ts';
export { isTrustDirectoryError, type TrustDirectoryErrors } from './is-trust-directory-error.ts';
