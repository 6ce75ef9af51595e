import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccountRecord } from '../../accounts/account.ts';
import { lockCredential } from '../../callers/lock-credential.ts';
import type { Credential } from '../../callers/principal.ts';
import { lockRecentSignIn } from '../../callers/recent-sign-in.ts';
import type { Connection } from '../../database/connect.ts';
import { DomainError } from '../../domain-error.ts';
import type { Authentication } from '../../http/credentials/authenticate-caller.ts';
import { formToken } from '../../http/credentials/csrf-token.ts';
import { requireSession } from '../../http/request-context.ts';

/** A route of the console, whatever its path. */
export interface VisitRoute {
  Params: Readonly<Record<string, string>>;
}

/** One request of somebody who is signed in. */
export interface Visit {
  accountId: string;
  sessionId: string;
  /** The visitor's account, read once for all that the page shows of it. */
  account(): Promise<AccountRecord>;
  /** The session's, as a hash. */
  credential: Credential;
  /** What the forms of the page that answers carry. */
  formToken: string;
  /** Of the path. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** What a form sent; empty where nothing was sent. */
  form: URLSearchParams;
  /** Reads the session again, for the length of a transaction; throws 401 where it lives no more. */
  lockCredential(connection: Connection): Promise<void>;
  /** The same where only a recent sign-in will do; throws sign_in_again too. */
  lockRecentSignIn(connection: Connection): Promise<void>;
}

/** Who sends this request, by the session's cookie alone. Throws unauthorized, csrf_failed. */
export async function readVisit(
  request: FastifyRequest<VisitRoute>,
  reply: FastifyReply,
  authentication: Authentication,
  readAccount: (accountId: string) => Promise<AccountRecord>,
): Promise<Visit> {
  const principal = await authentication.authenticate(request, reply);
  const { accountId, sessionId } = requireSession(request);
  const credential = authentication.present(request);
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

/** A part of the path by its name; throws not_found where the path has none. */
export function partOf({ params }: Visit, name: string): string {
  const part = params[name];
  if (part !== undefined) return part;
  throw new DomainError('not_found', 'There is no page at this address.');
}
