import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authentication } from '../../../access/callers/authenticate-caller.ts';
import type { AccountRecord } from '../../../access/callers/require-account.ts';
import type { PlanBook } from '../../../access/plans/plans.ts';
import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import type { Hosts } from '../../../hosts/create-hosts.ts';
import type { OperationParts } from '../../../operations/run-operation.ts';
import type { Config } from '../../../platform/config/load-config.ts';
import type { Database } from '../../../platform/database/connect.ts';
import { clearSessionCookie } from '../../../platform/http/credentials/attempt-cookies.ts';
import type { RateLimits } from '../../../platform/http/limits/rate-limits.ts';
import type { ScoringBackend } from '../../../scoring/scoring-backend.ts';
import { sendHtml } from '../../components/send-html.ts';
import { consoleDocument } from './console-document.tsx';
import type { ConsoleResponse, Page } from './console-response.ts';
import { readVisit, type Visit, type VisitRoute } from './visit.ts';

/** Handles a page or a form of the console. */
type Handler = (visit: Visit) => Promise<ConsoleResponse>;

/** Registers the console's routes. Each authenticates the session first. */
export interface ConsoleRouter {
  /** Registers a GET route for a page or a file. */
  get(path: string, handler: Handler): void;
  /**
   * Registers a POST route for a form. `limit` is its rate limit. If a sign-in is required first, `page` is the path to
   * return to.
   */
  post(path: string, page: string, handler: Handler, limit?: 'write' | 'metered'): void;
}

/** Route options: rate limit by session, or by IP address without one. */
const READ_ROUTE = { limit: 'read', schemes: ['session'] } as const;

/** Creates the router. `publicUrl` is an origin; `readAccount` loads the visitor's account. */
export function createConsoleRouter(
  pages: FastifyInstance,
  authentication: Authentication,
  publicUrl: string,
  readAccount: (accountId: string) => Promise<AccountRecord>,
): ConsoleRouter {
  const serve = (handler: Handler) => async (request: FastifyRequest<VisitRoute>, reply: FastifyReply) => {
    const visit = await readVisit(request, reply, authentication, readAccount);
    const answer = await handler(visit);
    if ('endsSession' in answer) clearSessionCookie(reply, publicUrl);
    if (!('content' in answer)) return send(reply, answer);
    const document = consoleDocument(answer, visit.formToken, await visit.account());
    return sendHtml(reply.code(answer.status ?? 200), document);
  };
  return {
    get: (path, handler) => void pages.get<VisitRoute>(path, { config: READ_ROUTE }, serve(handler)),
    post: (path, formPage, handler, limit = 'write') =>
      void pages.post<VisitRoute>(
        path,
        { config: { limit, schemes: ['session'], formPage } },
        serve(handler),
      ),
  };
}

function send(reply: FastifyReply, answer: Exclude<ConsoleResponse, Page>): FastifyReply {
  if ('redirectTo' in answer) return reply.redirect(answer.redirectTo, 303);
  reply.header('Content-Disposition', `attachment; filename="${answer.fileName}"`);
  return reply.type(answer.mediaType).send(answer.file);
}

export interface ConsoleDependencies {
  database: Database;
  planBook: PlanBook;
  publicUrls: PublicUrls;
  backend: ScoringBackend;
  hosts: Hosts;
  /** Dependencies of metered calls. */
  operations: OperationParts;
  authentication: Authentication;
  rateLimits: RateLimits;
  config: Pick<Config, 'repositoryHosts' | 'hostApiUrls' | 'repositoryRefreshPerHour'>;
}
