import { requireAccountByName } from '../../access/callers/require-account.ts';
import { lockExistingAccount, openSession } from '../../access/callers/session.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { violates } from '../../platform/database/database-errors.ts';
import { inTransaction, retryConflicts } from '../../platform/database/transaction.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { createUnnamedAccount } from '../account-lifecycle.ts';
import {
  deleteIdentity,
  findIdentities,
  insertIdentity,
  lockAccountOf,
  unlinkFromDeletedAccount,
} from './sign-in.queries.ts';

/** A person at an identity provider. */
export interface Identity {
  issuer: string;
  subject: string;
}

/** A person who can sign in to an account. */
export interface SignInIdentity extends Identity {
  accountId: string;
  createdBy: 'operator' | 'sign_up';
  createdAt: string;
}

/**
 * Allows a person to sign in to an account, on the operator's command. Throws invalid_request for a malformed identity,
 * for a deleted account, and if the person can already sign in to an account that is not deleted. Throws not_found for
 * an unknown account.
 */
export async function addIdentity(database: Database, accountId: string, identity: Identity): Promise<void> {
  requireIdentity(identity);
  await inTransaction(database, async (connection) => {
    await lockExistingAccount(connection, accountId);
    await unlinkFromDeletedAccount(connection, identity);
    await insertIdentity(connection, { ...identity, accountId, createdBy: 'operator' });
  }).catch((error: unknown) => {
    throw violates(error, 'sign_in_identity_pkey') ? alreadyLinked() : error;
  });
}

/** Lists the people who can sign in to an account, oldest first. Throws not_found. */
export async function listIdentities(connection: Connection, handleOrId: string): Promise<SignInIdentity[]> {
  const { id } = await requireAccountByName(connection, handleOrId);
  return findIdentities(connection, id);
}

/** Removes a person's access to an account; open sessions stay open. Throws not_found. */
export async function removeIdentity(
  connection: Connection,
  accountId: string,
  identity: Identity,
): Promise<void> {
  if (await deleteIdentity(connection, accountId, identity)) return;
  throw new DomainError(
    'not_found',
    'No person with this issuer and subject can sign in to the account. List them with: identities list.',
  );
}

/**
 * Validates an identity: a subject has 1 to 255 characters; an issuer is an http or https URL of at most 500
 * characters. Throws invalid_request.
 */
export function requireIdentity({ issuer, subject }: Identity): void {
  const isIssuer = issuer.length <= 500 && /^https?:$/.test(URL.parse(issuer)?.protocol ?? '');
  if (!isIssuer || /[\p{C}\s]/u.test(issuer))
    throw invalid('The issuer must be the URL with which the provider identifies itself.');
  if (!/^\P{C}{1,255}$/u.test(subject))
    throw invalid("The subject must be the provider's id of the person, 1 to 255 characters.");
}

function alreadyLinked(): DomainError {
  return invalid('This person can already sign in to an account. Remove that first: identities remove.');
}

function invalid(message: string): DomainError {
  return new DomainError('invalid_request', message);
}

/** Account and session of a signed-in person. */
export interface SignedIn {
  accountId: string;
  /** Null until the person chooses a handle. */
  handle: string | null;
  sessionId: string;
  /** Token of the new session, which only the browser stores. */
  token: string;
}

/**
 * Signs in a person authenticated by a provider: opens a session of the person's account. A new person gets one free
 * account if sign-up is open, even if several requests arrive at once. Returns null for a new person if sign-up is
 * closed. Throws forbidden if the account is suspended or deleted, and invalid_request for an invalid identity.
 */
export async function signInPerson(
  database: Database,
  { issuer, subject }: Identity,
  { signUp }: { signUp: 'closed' | 'open' },
): Promise<SignedIn | null> {
  const identity = { issuer, subject };
  requireIdentity(identity);
  const enter = async (connection: Connection): Promise<SignedIn | null> => {
    const known = await lockAccountOf(connection, identity);
    if (!known && signUp === 'closed') return null;
    const account = known ?? (await makeAccount(connection, identity));
    if (account.refused) throw accountRefused();
    const session = await openSession(connection, account.id, 'sign_in');
    return { accountId: account.id, handle: account.handle, ...session };
  };
  // Of two concurrent first sign-ins, one creates the account and the other finds it.
  return retryConflicts(() => inTransaction(database, enter));
}

async function makeAccount(connection: Connection, identity: Identity) {
  const id = await createUnnamedAccount(connection);
  await insertIdentity(connection, { ...identity, accountId: id, createdBy: 'sign_up' });
  return { id, handle: null, refused: false };
}

function accountRefused(): DomainError {
  return new DomainError(
    'forbidden',
    'Your account is suspended or was deleted, so you cannot sign in. Contact the operator of this directory.',
  );
}
