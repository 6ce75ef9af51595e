import { lockCredential } from '../callers/lock-credential.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/connect.ts';
import type { RouteHandlers } from '../generated/fastify.gen.ts';
import type { ListAgentsData, RegisterAgentRequest } from '../generated/types.gen.ts';
import { requirePrincipal } from '../http/request-context.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import { loadPublicHandles } from '../subjects/load-public-handles.ts';
import type { Naming } from '../subjects/naming.ts';
import { presentAgent } from './agent.presenter.ts';
import { getAgent } from './get-agent.ts';
import { getAgentLineage, recordsOf } from './get-agent-lineage.ts';
import { getIdentity } from './get-identity.ts';
import { presentIdentity } from './identity.presenter.ts';
import { presentLineage } from './lineage.presenter.ts';
import { type ListInput, listAgents } from './list-agents.ts';
import { pageLinks } from './page-links.ts';
import { registerAgent } from './register-agent.ts';

export interface DirectoryHandlerParts {
  database: Database;
  backend: ScoringBackend;
  naming: Naming;
  config: Pick<Config, 'repositoryHosts'>;
}

type DirectoryHandlers = Pick<
  RouteHandlers,
  'listAgents' | 'getAgent' | 'getAgentLineage' | 'getIdentity' | 'registerAgent'
>;

const DEFAULT_LIMIT = 20;

/** The public directory and registration: translates requests and answers, decides nothing. */
export function createDirectoryHandlers({
  database,
  backend,
  naming,
  config,
}: DirectoryHandlerParts): DirectoryHandlers {
  return {
    async listAgents(request, reply) {
      const { reads } = request;
      const input = toListInput(request.query as ListAgentsData['query']);
      const { agents, total, nextCursor } = await listAgents(reads, input);
      const links = pageLinks(input, nextCursor);
      if (links !== null) reply.header('Link', links);
      const { offset, limit } = input;
      const handles = await loadPublicHandles(reads, agents, naming);
      const data = agents.map((record) => presentAgent(record, handles));
      return reply.code(200).send({ data, total, offset, limit, nextCursor });
    },
    async getAgent(request, reply) {
      const { reads } = request;
      const record = await getAgent(reads, request.params.id);
      const handles = await loadPublicHandles(reads, [record], naming);
      return reply.code(200).send(presentAgent(record, handles));
    },
    async getAgentLineage(request, reply) {
      const { reads } = request;
      const lineage = await getAgentLineage(reads, request.params.id);
      const handles = await loadPublicHandles(reads, recordsOf(lineage), naming);
      return reply.code(200).send(presentLineage(lineage, handles));
    },
    async getIdentity(request, reply) {
      return reply
        .code(200)
        .send(presentIdentity(await getIdentity(request.reads, request.params.handle, naming)));
    },
    async registerAgent(request, reply) {
      const principal = requirePrincipal(request);
      const { isNew, ...registered } = await registerAgent(database, {
        ...toRegistration(request.body as RegisterAgentRequest),
        accountId: principal.accountId,
        allowedHosts: config.repositoryHosts,
        backend,
        naming,
        lockCredential: (connection) => lockCredential(connection, principal),
      });
      reply.header('Location', `/api/agents/${registered.id}`);
      return isNew ? reply.code(201).send(registered) : reply.code(200).send(registered);
    },
  };
}

function toListInput(query: ListAgentsData['query'] = {}): ListInput {
  return {
    q: query.q ?? null,
    verified: query.verified ?? null,
    tier: query.tier ?? null,
    category: query.category ?? null,
    sort: query.sort ?? 'score_desc',
    limit: query.limit ?? DEFAULT_LIMIT,
    offset: query.offset ?? 0,
    cursor: query.cursor ?? null,
  };
}

function toRegistration(body: RegisterAgentRequest) {
  return {
    repoHostUrl: body.repoHostUrl,
    name: body.name.trim(),
    description: body.description.trim(),
    category: body.category,
    tags: body.tags ?? [],
    type: body.type ?? null,
    parentId: body.parentId ?? null,
  } as const;
}
