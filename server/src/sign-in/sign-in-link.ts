import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { hashSecret } from '../callers/secret.ts';
import { openSession } from '../callers/session.ts';
import type { Connection, Database } from '../database/connect.ts';
import { inTransaction } from '../database/transaction.ts';
import { DomainError } from '../domain-error.ts';
import { SIGN_IN_LINK_MINUTES } from './link-minutes.ts';
import { findLinkOwnerName, insertLink, lockAccountOfLink, saveRedeemed } from './sign-in-link.repository.ts';

const TOKEN_BYTES = 32;
/**
 * Makes a link's token, which signs a person in as the account once, within ten minutes. Only its hash is kept: anyone who
 * has the token is let in, so it goes to the account's owner and nowhere else. Links that are over are forgotten by the
 * way. Throws invalid_request for a suspended or deleted account.
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
 * Whose link it is, by the handle or id of the account that it would sign somebody in to now: so that nobody is signed in to
 * another's account unawares. Null for a link that would not. Uses nothing up.
 */
export function findLinkOwner(connection: Connection, token: string): Promise<string | null> {
  return findLinkOwnerName(connection, hashSecret(token));
}

/** The address that a person opens to sign in with a link's token. */
export function signInUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/sign-in?token=${token}`;
}

/**
 * Signs in with a link's token: opens a session of its account. Of any number at once one succeeds. Throws unauthorized,
 * in one text, where the token is unknown, used or too old, or its account is suspended or deleted.
 */
export async function redeemSignInLink(
  database: Database,
  token: string,
): Promise<{ sessionId: string; token: string }> {
  return inTransaction(database, async (connection) => {
    // The account before the link, as everywhere: it cannot be suspended or deleted before the session is there.
    const accountId = await lockAccountOfLink(connection, hashSecret(token));
    if (accountId === null || !(await saveRedeemed(connection, hashSecret(token)))) throw linkOver();
    return openSession(connection, accountId, 'sign_in');
  });
}

function linkOver(): DomainError {
  return new DomainError(
    'unauthorized',
    `The sign-in link is unknown, was used before or is older than ${SIGN_IN_LINK_MINUTES} minutes. Ask the operator for a new one.`,
  );
}
