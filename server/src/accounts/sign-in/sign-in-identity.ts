import { lockExistingAccount } from '../../access/callers/lock-credential.ts';
import { requireAccountByName } from '../../access/callers/require-account.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { violates } from '../../platform/database/database-errors.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import {
  deleteIdentity,
  findIdentities,
  insertIdentity,
  unlinkFromDeletedAccount,
} from './sign-in-identity.queries.ts';

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
 * Allows a person to sign in to an account, on the operator's command. Throws invalid_request for a malformed identity
 * and for a deleted account. Also throws it if the person can already sign in to an account that is not deleted. Throws
 * not_found for an unknown account.
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

/** Validates an identity: a subject has 1 to 255 characters, an issuer is a URL. Throws invalid_request. */
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
