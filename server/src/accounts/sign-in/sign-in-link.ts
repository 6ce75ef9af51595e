import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { endSession, openSession } from '../../access/callers/session.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { hashSecret } from '../../platform/http/credentials/secret.ts';
import { findLinkOwnerName, insertLink, lockAccountOfLink, saveRedeemed } from './sign-in.queries.ts';

/** Maximum lifetime of the operator's session, in case the process dies before it ends the session. */
const LONGEST_MINUTES = 10;

/**
 * Opens a console session of an account on the operator's behalf, runs the work and ends the session, even if the work
 * fails. Commands use it to create keys, which requires a session. The session's token is discarded.
 */
export async function withOperatorSession<Result>(
  database: Database,
  accountId: string,
  work: (sessionId: string) => Promise<Result>,
): Promise<Result> {
  const { sessionId } = await openSession(database, accountId, 'operator', LONGEST_MINUTES);
  try {
    return await work(sessionId);
  } finally {
    await endSession(database, sessionId);
  }
}

/** Lifetime of a sign-in link, in minutes. */
export const SIGN_IN_LINK_MINUTES = 10;

const TOKEN_BYTES = 32;
/**
 * Creates the token of a sign-in link, which signs a person in to the account once, within ten minutes. Anyone with the
 * token can sign in, so give it only to the account's owner. Only its hash is stored. Also deletes the account's
 * expired links. Throws invalid_request if the account does not exist, or is suspended or deleted.
 */
export async function createSignInLink(connection: Connection, accountId: string): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const link = { id: uuidv7(), accountId, tokenHash: hashSecret(token), minutes: SIGN_IN_LINK_MINUTES };
  if (await insertLink(connection, link)) return token;
  throw new DomainError(
    'invalid_request',
    'The account does not exist, or is suspended or deleted, so it has no sign-in link.',
  );
}

/**
 * Returns the handle of the link's account, or its id if it has no handle, so that people see to which account they
 * sign in. Returns null for an unusable link. Does not redeem the link.
 */
export function findLinkOwner(connection: Connection, token: string): Promise<string | null> {
  return findLinkOwnerName(connection, hashSecret(token));
}

/** Returns the URL that signs a person in with a link's token. */
export function signInUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/sign-in?token=${token}`;
}

/**
 * Redeems a link's token: opens a session of its account. Only one of concurrent calls succeeds. Throws unauthorized
 * with the same text if the token is unknown, used or expired, or the account is suspended or deleted.
 */
export async function redeemSignInLink(
  database: Database,
  token: string,
): Promise<{ sessionId: string; token: string }> {
  return inTransaction(database, async (connection) => {
    // Locks the account before the link, as all transactions do. While it is locked, the account cannot be suspended or
    // deleted before the session exists.
    const accountId = await lockAccountOfLink(connection, hashSecret(token));
    if (accountId === null || !(await saveRedeemed(connection, hashSecret(token)))) throw unusableLink();
    return openSession(connection, accountId, 'sign_in');
  });
}

function unusableLink(): DomainError {
  return new DomainError(
    'unauthorized',
    `The sign-in link is unknown, was used before or is older than ${SIGN_IN_LINK_MINUTES} minutes. Ask the operator for a new one.`,
  );
}
