/**
 * The directory's public reads as plain functions, for pages and programs that need no more: a bundle holds only those that
 * you import. They answer, retry and fail as the methods of the client do, and never send a key.
 *
 * @packageDocumentation
 */

import type { Agent, AgentPage, IdentityProfile, Lineage, SubjectRecord } from './contract/models.ts';
import type { AgentQuery } from './resources/agents.ts';
import { type LookupQuery, lookupInput } from './resources/subjects.ts';
import { type ApiPromise, type Call, createCall } from './transport/call.ts';
import { CALL_RULES, CLIENT_RULES } from './transport/option-rules.ts';
import { type PagePromise, paged } from './transport/pages.ts';
import { createSend } from './transport/send.ts';
import { type CallOptions, readSettings, type TrustDirectoryOptions } from './transport/settings.ts';

/** How a read is sent: the options of a client, except the key. */
export interface ReadOptions extends Omit<TrustDirectoryOptions, 'apiKey' | 'allowInsecure'>, CallOptions {}

const { apiKey: _key, allowInsecure: _insecure, ...RULES } = { ...CLIENT_RULES, ...CALL_RULES };

function readerOf(options?: ReadOptions): Call {
  const settings = readSettings(options, RULES);
  return createCall(settings.baseUrl, createSend({ ...settings, apiKey: null }));
}

/**
 * One page of the directory when awaited; every entry from there on when iterated.
 *
 * @example
 * for await (const agent of listAgents({ q: 'browser automation' })) console.log(agent.name);
 */
export function listAgents(query?: AgentQuery, options?: ReadOptions): PagePromise<AgentPage> {
  const read = readerOf(options);
  return paged((next) => read('get', '/api/agents', 'data', { query: { ...query, ...next } }));
}

/**
 * One agent or skill by its directory id.
 *
 * @example
 * const { name, trustScore } = await getAgent('AGT-7K2MQ9XD');
 */
export function getAgent(id: string, options?: ReadOptions): ApiPromise<Agent> {
  return readerOf(options)('get', '/api/agents/{id}', 'id', { path: id });
}

/**
 * Ancestors and descendants of one entry by its directory id.
 *
 * @example
 * const { ancestors, descendants } = await getAgentLineage('AGT-7K2MQ9XD');
 */
export function getAgentLineage(id: string, options?: ReadOptions): ApiPromise<Lineage> {
  return readerOf(options)('get', '/api/agents/{id}/lineage', 'root', { path: id });
}

/**
 * A creator's profile by handle.
 *
 * @example
 * const { displayName, trustScore } = await getIdentity('google-gemini');
 */
export function getIdentity(handle: string, options?: ReadOptions): ApiPromise<IdentityProfile> {
  return readerOf(options)('get', '/api/identity/{handle}', 'handle', { path: handle });
}

/**
 * The one subject that a name, handle, repository, package, URL or id leads to, with its stored score.
 *
 * @example
 * const { trustScore, confidence } = await lookupSubject('npm:@upstash/context7-mcp');
 */
export function lookupSubject(
  subject: string,
  query?: LookupQuery,
  options?: ReadOptions,
): ApiPromise<SubjectRecord> {
  return readerOf(options)('get', '/api/subjects', 'canonical_id', lookupInput(subject, query));
}

/**
 * The subject with this canonical id.
 *
 * @example
 * const { name, public_path } = await getSubject('b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88');
 */
export function getSubject(canonicalId: string, options?: ReadOptions): ApiPromise<SubjectRecord> {
  const input = { path: canonicalId };
  return readerOf(options)('get', '/api/subjects/{canonical_id}', 'canonical_id', input);
}

export * from './errors/public-errors.ts';
