import type { FastifyRequest } from 'fastify';
import { requireAccount } from '../accounts/require-account.ts';
import type { Database } from '../database/connect.ts';
import type { RouteHandlers } from '../generated/fastify.gen.ts';
import type { CreateKeyRequest, ListKeysData } from '../generated/types.gen.ts';
import { requireSession } from '../http/request-context.ts';
import type { PlanBook } from '../plans/plans.ts';
import { issueKey } from './issue-key.ts';
import { presentKey, presentKeyPage } from './keys.presenter.ts';
import { readKeys } from './list-keys.ts';
import { pauseOwnKey, resumeOwnKey, revokeOwnKey } from './own-keys.ts';

export interface KeyHandlerParts {
  database: Database;
  planBook: PlanBook;
}

type KeyHandlers = Pick<RouteHandlers, 'listKeys' | 'createKey' | 'pauseKey' | 'resumeKey' | 'revokeKey'>;

const DEFAULT_LIMIT = 20;

/** Access keys, for the console: translates requests and answers, decides nothing. */
export function createKeyHandlers({ database, planBook }: KeyHandlerParts): KeyHandlers {
  return {
    async listKeys(request, reply) {
      const { accountId } = requireSession(request as FastifyRequest);
      const { state = null, cursor = null, limit = DEFAULT_LIMIT } = (request.query ?? {}) as Query;
      const { plan } = await requireAccount(database, accountId);
      const page = await readKeys(database, planBook, { accountId, plan }, { state, cursor, limit });
      return reply.code(200).send(presentKeyPage(page));
    },
    async createKey(request, reply) {
      const { sessionId } = requireSession(request as FastifyRequest);
      const { name = null, scopes = null, expires_at, replaces_key_id } = request.body as CreateKeyRequest;
      const { record, secret } = await issueKey(database, planBook, {
        sessionId,
        name,
        scopes,
        expiresAt: expires_at ?? null,
        replacesKeyId: replaces_key_id ?? null,
      });
      return reply.code(201).send({ key: presentKey(record), secret });
    },
    async pauseKey(request, reply) {
      const { sessionId } = requireSession(request as FastifyRequest);
      return reply.code(200).send(presentKey(await pauseOwnKey(database, sessionId, request.params.id)));
    },
    async resumeKey(request, reply) {
      const { sessionId } = requireSession(request as FastifyRequest);
      const key = await resumeOwnKey(database, planBook, sessionId, request.params.id);
      return reply.code(200).send(presentKey(key));
    },
    async revokeKey(request, reply) {
      const { sessionId } = requireSession(request as FastifyRequest);
      return reply.code(200).send(presentKey(await revokeOwnKey(database, sessionId, request.params.id)));
    },
  };
}

type Query = NonNullable<ListKeysData['query']>;
