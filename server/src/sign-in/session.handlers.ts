import type { FastifyRequest } from 'fastify';
import { requireAccount } from '../accounts/require-account.ts';
import { lockRecentSignIn } from '../callers/recent-sign-in.ts';
import { endAllSessions, endSession, readSession } from '../callers/session.ts';
import type { Config } from '../config/config.ts';
import type { Connection, Database } from '../database/connect.ts';
import type { RouteHandlers } from '../generated/fastify.gen.ts';
import type { HandleRequest } from '../generated/types.gen.ts';
import { chooseHandle } from '../handles/choose-handle.ts';
import { requirePrincipal, requireSession } from '../http/request-context.ts';
import { clearSessionCookie } from '../http/session-cookie.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import { presentSession } from './session.presenter.ts';

export interface SessionHandlerParts {
  database: Database;
  backend: ScoringBackend;
  config: Pick<Config, 'publicUrl'>;
}

type SessionHandlers = Pick<RouteHandlers, 'getSession' | 'signOut' | 'signOutEverywhere' | 'setHandle'>;

/** Who is signed in, for the console: translates requests and answers, decides nothing. */
export function createSessionHandlers({ database, backend, config }: SessionHandlerParts): SessionHandlers {
  async function sessionOf(request: FastifyRequest) {
    const { accountId, sessionId } = requireSession(request);
    const session = await readSession(database, sessionId);
    return presentSession(session, await requireAccount(database, accountId));
  }
  return {
    async getSession(request, reply) {
      return reply.code(200).send(await sessionOf(request as FastifyRequest));
    },
    async signOut(request, reply) {
      await endSession(database, requireSession(request as FastifyRequest).sessionId);
      clearSessionCookie(reply, config.publicUrl);
      return reply.code(204).send();
    },
    async signOutEverywhere(request, reply) {
      const ended = await endAllSessions(database, requireSession(request as FastifyRequest).accountId);
      clearSessionCookie(reply, config.publicUrl);
      return reply.code(200).send({ ended });
    },
    async setHandle(request, reply) {
      const principal = requirePrincipal(request as FastifyRequest);
      const { handle } = request.body as HandleRequest;
      await chooseHandle(database, backend, {
        accountId: principal.accountId,
        handle,
        lockRecentSignIn: (connection: Connection) => lockRecentSignIn(connection, principal),
      });
      return reply.code(200).send(await sessionOf(request as FastifyRequest));
    },
  };
}
