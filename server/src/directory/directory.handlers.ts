import { lockCredential } from '../callers/lock-credential.ts';
import type { Config } from '../config/load-config.ts';
import type { Database } from '../database/connect.ts';
import type { Hosts } from '../hosts/hosts.ts';
import type { HandlersOf, RequestOf } from '../http/contract/handlers-of.ts';
import { requirePrincipal } from '../http/request-context.ts';
import type { Synonyms } from '../registry/listings/synonyms.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import { loadPublicHandles } from '../subjects/load-public-handles.ts';
import { lookUpSubject } from '../subjects/look-up-subject.ts';
import type { Naming } from '../subjects/naming.ts';
import { presentSubject } from '../subjects/subject.presenter.ts';
import { presentAgent } from './agent.presenter.ts';
import { getAgent } from './get-agent.ts';
import { getAgentLineage, recordsOf } from './get-agent-lineage.ts';
import { getIdentity } from './get-identity.ts';
import { presentIdentity } from './identity.presenter.ts';
import { presentLineage } from './lineage.presenter.ts';
import type { AskedSearches } from './lists/asked-searches.ts';
import { type ListInput, listAgents } from './lists/list-agents.ts';
import { loadMarks } from './load-marks.ts';
import { registerAgent } from './own-agents/register-agent.ts';
import { pageLinks } from './page-links.ts';
import { loadRelationsInside, TOLD } from './relations/load-relations-of.ts';
import { presentRelations } from './relations/relation.presenter.ts';
import { loadListingGroups } from './relations/relations.ts';

export interface DirectoryHandlerParts {
  database: Database;
  backend: ScoringBackend;
  naming: Naming;
  config: Pick<Config, 'repositoryHosts'>;
  /** Told of searches that had to be counted. */
  asked?: AskedSearches | undefined;
  /** What words may be called else. */
  synonyms?: Synonyms | undefined;
  /** Reads repositories that their proved owners register. */
  hosts?: Hosts | undefined;
}

type Read = 'listAgents' | 'getAgent' | 'getAgentLineage' | 'getIdentity' | 'lookupSubject' | 'getSubject';

/** The public directory and registration: translates requests and answers, decides nothing. */
export function createDirectoryHandlers({
  database,
  backend,
  naming,
  config,
  asked,
  synonyms,
  hosts,
}: DirectoryHandlerParts): HandlersOf<Read | 'registerAgent'> {
  return {
    async listAgents(request) {
      const { reads } = request;
      const input = toListInput(request.query);
      const { agents, total, nextCursor, didYouMean } = await listAgents(reads, {
        ...input,
        asked,
        synonyms,
      });
      const links = pageLinks(input, nextCursor);
      const { offset, limit } = input;
      const handles = await loadPublicHandles(reads, agents, naming);
      const marks = await loadMarks(reads, agents);
      const data = agents.map((record) => presentAgent(record, handles, marks));
      const headers = links === null ? {} : { Link: links };
      const body = { data, total, offset, limit, nextCursor, did_you_mean: didYouMean };
      return { status: 200, headers, body };
    },
    async getAgent(request) {
      const { reads } = request;
      const record = await getAgent(reads, request.params.id);
      const handles = await loadPublicHandles(reads, [record], naming);
      return { status: 200, body: presentAgent(record, handles, await loadMarks(reads, [record])) };
    },
    async getAgentLineage(request) {
      const { reads } = request;
      const lineage = await getAgentLineage(reads, request.params.id);
      const handles = await loadPublicHandles(reads, recordsOf(lineage), naming);
      const groups = await loadListingGroups(reads, lineage.root.subjectId, TOLD);
      return { status: 200, body: presentLineage(lineage, groups, handles) };
    },
    async getIdentity({ reads, params }) {
      const identity = await getIdentity(reads, params.handle, naming);
      return { status: 200, body: presentIdentity(identity) };
    },
    async lookupSubject({ reads, query }) {
      const { subject, type = null } = query;
      return { status: 200, body: presentSubject(await lookUpSubject(reads, subject, type, naming)) };
    },
    async getSubject({ reads, params }) {
      const { canonical_id: id } = params;
      const subject = await lookUpSubject(reads, id, null, naming);
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
        naming,
        hosts,
        lockCredential: (connection) => lockCredential(connection, principal),
      });
      const headers = { Location: `/api/agents/${registered.id}` };
      return { status: isNew ? 201 : 200, headers, body: registered };
    },
  };
}

function toListInput(query: RequestOf<'listAgents'>['query']): ListInput {
  return {
    q: query.q ?? null,
    verified: query.verified ?? null,
    tier: query.tier ?? null,
    category: query.category ?? null,
    type: query.type ?? null,
    kind: query.kind ?? null,
    license: query.license ?? null,
    tag: query.tag ?? null,
    sort: query.sort,
    limit: query.limit,
    offset: query.offset,
    cursor: query.cursor ?? null,
  };
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
