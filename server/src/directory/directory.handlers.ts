import { lockCredential } from '../access/callers/session.ts';
import type { Synonyms } from '../catalog/listings/synonyms.ts';
import type { PublicHandles } from '../catalog/subjects/load-public-paths.ts';
import { loadPublicHandles } from '../catalog/subjects/load-public-paths.ts';
import type { PublicUrls } from '../catalog/subjects/public-path.ts';
import { lookUpSubject } from '../catalog/subjects/resolve-subject.ts';
import { presentSubject } from '../catalog/subjects/subject.presenter.ts';
import type {
  AgentPage,
  FacetValue,
  IdentityProfile,
  LineageNode,
  VerifiedAccounts,
  Lineage as WireLineage,
} from '../generated/types.gen.ts';
import type { Hosts } from '../hosts/create-hosts.ts';
import type { Config } from '../platform/config/load-config.ts';
import type { Database } from '../platform/database/connect.ts';
import { DomainError } from '../platform/errors/domain-error.ts';
import type { HandlersOf, RequestOf } from '../platform/http/contract/handlers-of.ts';
import { requirePrincipal } from '../platform/http/request-context.ts';
import { type AccountKind, kindsKnownAs } from '../scoring/facts/creator-identity.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import { presentAgent } from './agents/agent.presenter.ts';
import {
  getAgent,
  getAgentLineage,
  type Lineage,
  type LineageEntry,
  loadFlags,
  recordsOf,
} from './agents/get-agent.ts';
import type { Identity } from './get-identity.ts';
import { getIdentity } from './get-identity.ts';
import { type Filter, filterValuesOf } from './lists/filters.ts';
import { type AgentList, type ListInput, listAgents } from './lists/list-agents.ts';
import { type FacetCounts, listWithFacets } from './lists/list-with-facets.ts';
import { pageLinks } from './lists/page-links.ts';
import { registerAgent } from './own-agents/register-agent.ts';
import { presentSubjectPackage } from './packages/package.handlers.ts';
import { findSubjectPackage } from './packages/package.queries.ts';
import { API_SELECTION, loadRelationsInside, presentRelations } from './relations/relation.presenter.ts';
import type { RelationGroup } from './relations/relations.ts';
import { loadListingGroups } from './relations/relations.ts';

export interface DirectoryHandlerParts {
  database: Database;
  backend: ScoringBackend;
  publicUrls: PublicUrls;
  config: Pick<Config, 'repositoryHosts'>;
  /** Synonyms for search queries. */
  synonyms?: Synonyms | undefined;
  /**
   * Clients of the repository hosts. A registered repository is read from its host if the caller has proved to own it.
   */
  hosts?: Hosts | undefined;
}

type Read = 'listAgents' | 'getAgent' | 'getAgentLineage' | 'getIdentity' | 'lookupSubject' | 'getSubject';

/** Creates the handlers of the public directory and of registration. */
export function createDirectoryHandlers({
  database,
  backend,
  publicUrls,
  config,
  synonyms,
  hosts,
}: DirectoryHandlerParts): HandlersOf<Read | 'registerAgent'> {
  return {
    async listAgents(request) {
      const { reads } = request;
      const input = toListInput(request.query);
      const names = toFacetNames(request.query.facets);
      const { facets, ...found } = names
        ? await listWithFacets(reads, { ...input, synonyms }, names)
        : { ...(await listAgents(reads, { ...input, synonyms })), facets: null };
      const { agents, nextCursor } = found;
      const links = pageLinks(input, nextCursor);
      const shown = [...agents, ...found.nearest];
      const [handles, flags] = await Promise.all([
        loadPublicHandles(reads, shown, publicUrls),
        loadFlags(reads, shown),
      ]);
      const [data, nearest] = [
        agents.map((record) => presentAgent(record, handles, flags)),
        found.nearest.map((record) => presentAgent(record, handles, flags)),
      ];
      const headers = links === null ? {} : { Link: links };
      const page = presentPage(input, found);
      const body = { data, ...page, nearest, ...(facets && { facets: presentFacets(facets) }) };
      return { status: 200, headers, body };
    },
    async getAgent(request) {
      const { reads } = request;
      const record = await getAgent(reads, request.params.id);
      const [handles, flags] = await Promise.all([
        loadPublicHandles(reads, [record], publicUrls),
        loadFlags(reads, [record]),
      ]);
      return { status: 200, body: presentAgent(record, handles, flags) };
    },
    async getAgentLineage(request) {
      const { reads } = request;
      const lineage = await getAgentLineage(reads, request.params.id);
      const [handles, groups] = await Promise.all([
        loadPublicHandles(reads, recordsOf(lineage), publicUrls),
        loadListingGroups(reads, lineage.root.subjectId, API_SELECTION),
      ]);
      return { status: 200, body: presentLineage(lineage, groups, handles) };
    },
    async getIdentity({ reads, params }) {
      const identity = await getIdentity(reads, params.handle, publicUrls);
      return { status: 200, body: presentIdentity(identity) };
    },
    async lookupSubject({ reads, query }) {
      const { subject, type = null } = query;
      const found = await lookUpSubject(reads, subject, type, publicUrls);
      const named = await findSubjectPackage(reads, subject, found.id);
      const body = presentSubject(found);
      return { status: 200, body: named ? { ...body, package: presentSubjectPackage(named) } : body };
    },
    async getSubject({ reads, params }) {
      const { canonical_id: id } = params;
      const subject = await lookUpSubject(reads, id, null, publicUrls);
      const inside = await loadRelationsInside(reads, subject);
      const relations = inside && presentRelations(inside, 'file');
      return { status: 200, body: { ...presentSubject(subject), ...(relations && { relations }) } };
    },
    async registerAgent(request) {
      const principal = requirePrincipal(request);
      const { isNew, ...registered } = await registerAgent(database, {
        ...toRegistration(request.body),
        accountId: principal.accountId,
        allowedHosts: config.repositoryHosts,
        backend,
        publicUrls,
        hosts,
        lockCredential: (connection) => lockCredential(connection, principal),
      });
      const headers = { Location: `/api/agents/${registered.id}` };
      return { status: isNew ? 201 : 200, headers, body: registered };
    },
  };
}

/** Maps a page of the list to its API fields, without its entries. */
function presentPage({ offset, limit }: ListInput, found: AgentList): Omit<AgentPage, 'data' | 'nearest'> {
  return {
    total: found.total,
    totalIsLowerBound: found.totalIsLowerBound,
    offset,
    limit,
    nextCursor: found.nextCursor,
    did_you_mean: found.didYouMean,
    ignoredWords: found.ignoredWords.map(({ word, reason }) => ({ word, reason })),
  };
}

function toListInput(query: RequestOf<'listAgents'>['query']): ListInput {
  const { q = null, sort, limit, offset, cursor = null, facets: _facets, updatedSince, ...filters } = query;
  const since = updatedSince === undefined ? null : momentOf('updatedSince', updatedSince);
  return { ...filterValuesOf(filters), q, sort, limit, offset, cursor, updatedSince: since };
}

/** Parses a timestamp to milliseconds since 1970. Throws invalid_request if the text is not a valid time. */
function momentOf(parameter: string, text: string): number {
  const moment = Date.parse(text);
  if (Number.isNaN(moment)) {
    throw new DomainError('invalid_request', `${parameter} must be a moment, such as 2026-11-21T09:30:00Z.`);
  }
  return moment;
}

/**
 * Splits the comma-separated facet names and removes duplicates. Returns null if the parameter is absent. The API
 * contract's pattern allows known names only.
 */
function toFacetNames(facets: string | undefined): Filter[] | null {
  return facets === undefined ? null : ([...new Set(facets.split(','))] as Filter[]);
}

/** Maps the counts of facets to their API fields. */
function presentFacets(facets: FacetCounts): Record<string, FacetValue[]> {
  return Object.fromEntries(
    Object.entries(facets).map(([name, counted]) => [
      name,
      counted.map(({ value, count, isLowerBound = false }) => ({ value, count, isLowerBound })),
    ]),
  );
}

function toRegistration(body: RequestOf<'registerAgent'>['body']) {
  return {
    repoHostUrl: body.repoHostUrl,
    name: body.name.trim(),
    description: body.description.trim(),
    category: body.category,
    tags: body.tags ?? [],
    type: body.type ?? null,
    parentId: body.parentId ?? null,
    idempotencyKey: body.idempotency_key ?? null,
  } as const;
}

/** Maps a creator's profile to its API fields. Accounts that are neither proved nor attested are absent. */
export function presentIdentity(identity: Identity): IdentityProfile {
  return {
    handle: identity.publicHandle,
    displayName: identity.displayName ?? identity.handle,
    trustScore: identity.trust,
    confidence: identity.confidence,
    tier: identity.tier,
    verifiedAccounts: presentKinds(kindsKnownAs(identity, 'proved')),
    attestedAccounts: presentKinds(kindsKnownAs(identity, 'attested')),
    agentCount: identity.listingCount,
    trustEquity: identity.trustEquity,
  };
}

/**
 * Maps each kind to true. Social and messaging accounts are not among the kinds: they are separate subjects in the
 * directory, not part of a creator's profile.
 */
function presentKinds(kinds: readonly AccountKind[]): VerifiedAccounts {
  return Object.fromEntries(kinds.map((kind) => [kind, true]));
}

/** Maps a listing's ancestors, descendants and relations to their API fields. */
export function presentLineage(
  lineage: Lineage,
  relations: readonly RelationGroup[],
  handles: PublicHandles,
): WireLineage {
  const presentNode = ({ record, parentId, trustEquityFlow }: LineageEntry): LineageNode => ({
    agent: presentAgent(record, handles),
    parentId,
    trustEquityFlow,
  });
  return {
    root: presentAgent(lineage.root, handles),
    ancestors: lineage.ancestors.map(presentNode),
    descendants: lineage.descendants.map(presentNode),
    relations: presentRelations(relations),
    depth: lineage.depth,
    ...(lineage.truncated ? { truncated: true } : {}),
  };
}
