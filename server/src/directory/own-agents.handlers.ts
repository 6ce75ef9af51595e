import type { FastifyRequest } from 'fastify';
import { lockCredential } from '../callers/lock-credential.ts';
import type { Database } from '../database/connect.ts';
import type { RouteHandlers } from '../generated/fastify.gen.ts';
import type { ListOwnAgentsData } from '../generated/types.gen.ts';
import { requirePrincipal } from '../http/request-context.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import { loadPublicHandles } from '../subjects/load-public-handles.ts';
import type { Naming } from '../subjects/naming.ts';
import { presentAgent } from './agent.presenter.ts';
import { listOwnAgents } from './own-agents.ts';
import { refreshScore } from './refresh-score.ts';

export interface OwnAgentHandlerParts {
  database: Database;
  backend: ScoringBackend;
  naming: Naming;
}

const DEFAULT_LIMIT = 20;

/** One's own listings and their scores, for the console: translates requests and answers, decides nothing. */
export function createOwnAgentHandlers({
  database,
  backend,
  naming,
}: OwnAgentHandlerParts): Pick<RouteHandlers, 'listOwnAgents' | 'refreshScore'> {
  return {
    async listOwnAgents(request, reply) {
      const { accountId } = requirePrincipal(request as FastifyRequest);
      const query = (request.query ?? {}) as NonNullable<ListOwnAgentsData['query']>;
      const { cursor = null, limit = DEFAULT_LIMIT } = query;
      const { records, nextCursor } = await listOwnAgents(database, accountId, { cursor, limit });
      const handles = await loadPublicHandles(database, records, naming);
      const data = records.map((record) => presentAgent(record, handles));
      return reply.code(200).send({ data, nextCursor });
    },
    async refreshScore(request, reply) {
      const principal = requirePrincipal(request as FastifyRequest);
      const { record } = await refreshScore(database, {
        accountId: principal.accountId,
        agentId: request.params.id,
        backend,
        lockCredential: (connection) => lockCredential(connection, principal),
      });
      const handles = await loadPublicHandles(database, [record], naming);
      return reply.code(200).send(presentAgent(record, handles));
    },
  };
}
