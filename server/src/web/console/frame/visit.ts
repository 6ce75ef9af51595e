import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authentication } from '../../../access/callers/authenticate-caller.ts';
import { lockCredential } from '../../../access/callers/lock-credential.ts';
import type { AccountRecord } from '../../../access/callers/require-account.ts';
import { lockRecentSignIn, requireRecentSignIn } from '../../../access/callers/session.ts';
import type { Connection } from '../../../platform/database/connect.ts';
import { DomainError } from '../../../platform/errors/domain-error.ts';
import { formToken } from '../../../platform/http/credentials/csrf-token.ts';
import type { Credential } from '../../../platform/http/credentials/principal.ts';
import { requireSession } from '../../../platform/http/request-context.ts';
import type { ConsoleDependencies } from './console-router.ts';

/** Route type of the console, for any path parameters. */
export interface VisitRoute {
  Params: Readonly<Record<string, string>>;
}

/** One authenticated request to the console. */
export interface Visit {
  accountId: string;
  sessionId: string;
  /** Reads the visitor's account, once per request. */
  account(): Promise<AccountRecord>;
  /** Credential of the session, hashed. */
  credential: Credential;
  /** CSRF token for the forms of the response. */
  formToken: string;
  /** Parameters of the path. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** Submitted form; empty without one. */
  form: URLSearchParams;
  /** Locks the session for the length of a transaction; throws 401 if it has ended. */
  lockCredential(connection: Connection): Promise<void>;
  /** Locks the session and requires a recent sign-in; throws 401 or sign_in_again. */
  lockRecentSignIn(connection: Connection): Promise<void>;
}

/** Authenticates a request by the session cookie alone. Throws unauthorized or csrf_failed. */
export async function readVisit(
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
 * Throws sign_in_again unless the visitor signed in recently. Pages with a form that requires this call it before they
 * show the form.
 */
export function requireRecentVisitor({ database }: ConsoleDependencies, { sessionId }: Visit): Promise<void> {
  return requireRecentSignIn(database, sessionId);
}
