import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authentication } from '../../../access/callers/authenticate-caller.ts';
import type { AccountRecord } from '../../../access/callers/require-account.ts';
import { lockCredential, lockRecentSignIn, requireRecentSignIn } from '../../../access/callers/session.ts';
import type { PlanBook } from '../../../access/plans/plans.ts';
import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import type { Hosts } from '../../../hosts/create-hosts.ts';
import type { OperationParts } from '../../../operations/run-operation.ts';
import type { Config } from '../../../platform/config/load-config.ts';
import type { Connection, Database } from '../../../platform/database/connect.ts';
import { DomainError } from '../../../platform/errors/domain-error.ts';
import { clearSessionCookie } from '../../../platform/http/credentials/attempt-cookies.ts';
import { formToken } from '../../../platform/http/credentials/credential.ts';
import type { Credential } from '../../../platform/http/credentials/principal.ts';
import type { RateLimits } from '../../../platform/http/limits/rate-limits.ts';
import { requireSession } from '../../../platform/http/request-context.ts';
import type { ScoringBackend } from '../../../scoring/scoring-backend.ts';
import { sendHtml } from '../../components/send-html.ts';
import { type ConsoleResponse, consoleDocument, type Page } from './console-document.tsx';

/** Route type of the console, for any path parameters. */
interface VisitRoute {
  Params: Readonly<Record<string, string>>;
}

/** One authenticated request to the console. */
export interface Visit {
  accountId: string;
  sessionId: string;
  /** Reads the visitor's account; further calls reuse the result. */
  account(): Promise<AccountRecord>;
  /** Credential of the session, with the hash of its token. */
  credential: Credential;
  /** CSRF token for the forms of the response. */
  formToken: string;
  /** Parameters of the path. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** Submitted form; empty without one. */
  form: URLSearchParams;
  /** Locks the session until the transaction ends; throws 401 if the session has ended. */
  lockCredential(connection: Connection): Promise<void>;
  /** Locks the session and requires a recent sign-in; throws 401 or sign_in_again. */
  lockRecentSignIn(connection: Connection): Promise<void>;
}

/** Authenticates a request by its session cookie, and reads its query and form. Throws unauthorized or csrf_failed. */
async function readVisit(
  request: FastifyRequest<VisitRoute>,
  reply: FastifyReply,
  authentication: Authentication,
  readAccount: (accountId: string) => Promise<AccountRecord>,
): Promise<Visit> {
  const principal = await authentication.authenticate(request, reply);
  const { accountId, sessionId } = requireSession(request);
  const credential = authentication.readCredential(request);
  let account: Promise<AccountRecord> | null = null;
  return {
    accountId,
    sessionId,
    account() {
      account ??= readAccount(accountId);
      return account;
    },
    credential,
    formToken: formToken(credential),
    params: request.params,
    query: new URLSearchParams(request.url.split('?')[1] ?? ''),
    form: request.body instanceof URLSearchParams ? request.body : new URLSearchParams(),
    lockCredential: (connection) => lockCredential(connection, principal),
    lockRecentSignIn: (connection) => lockRecentSignIn(connection, principal),
  };
}

/** Returns a parameter of the path; throws not_found if it is missing. */
export function pathParameter({ params }: Visit, name: string): string {
  const part = params[name];
  if (part !== undefined) return part;
  throw new DomainError('not_found', 'There is no page at this address.');
}

/**
 * Throws sign_in_again unless the visitor signed in recently. Pages call it before they show a form whose submission
 * requires a recent sign-in.
 */
export function requireRecentVisitor({ database }: ConsoleDependencies, { sessionId }: Visit): Promise<void> {
  return requireRecentSignIn(database, sessionId);
}

/** Handles a page or a form of the console. */
type Handler = (visit: Visit) => Promise<ConsoleResponse>;

/** Registers the console's routes. Each authenticates the session first. */
export interface ConsoleRouter {
  /** Registers a GET route for a page or a file. */
  get(path: string, handler: Handler): void;
  /**
   * Registers a POST route for a form. `page` is the path of the page with the form; visitors return to it if they must
   * sign in first. `limit` is the rate limit that counts the request.
   */
  post(path: string, page: string, handler: Handler, limit?: 'write' | 'metered'): void;
}

/** Options of GET routes: authentication by session, and the rate limit `read`. */
const READ_ROUTE = { limit: 'read', schemes: ['session'] } as const;

/** Creates the router of the console. `publicUrl` is an origin; `readAccount` loads the visitor's account. */
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
  config: Pick<Config, 'repositoryHosts' | 'hostApiUrls' | 'refreshPerHour'>;
}
