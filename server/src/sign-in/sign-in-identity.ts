import { requireAccountCalled } from '../accounts/require-account.ts';
import { lockLivingAccount } from '../callers/lock-living-account.ts';
import type { Connection, Database } from '../database/connect.ts';
import { violates } from '../database/database-errors.ts';
import { inTransaction } from '../database/transaction.ts';
import { DomainError } from '../domain-error.ts';
import {
  deleteIdentity,
  findIdentities,
  insertIdentity,
  releaseFromDeleted,
} from './sign-in-identity.repository.ts';

/** A person at an identity provider. */
export interface Identity {
  issuer: string;
  subject: string;
}

/** A person at an identity provider who is let in to an account. */
export interface SignInIdentity extends Identity {
  accountId: string;
  createdBy: 'operator' | 'sign_up';
  createdAt: string;
}

/**
 * Lets a person of an identity provider in to an account, on the operator's word. Who is let in to another account that
 * is not deleted stays there. Throws invalid_request.
 */
export async function addIdentity(database: Database, accountId: string, identity: Identity): Promise<void> {
  requireIdentity(identity);
  await inTransaction(database, async (connection) => {
    await lockLivingAccount(connection, accountId);
    await releaseFromDeleted(connection, identity);
    await insertIdentity(connection, { ...identity, accountId, createdBy: 'operator' });
  }).catch((error: unknown) => {
    throw violates(error, 'sign_in_identity_pkey') ? alreadyLetIn() : error;
  });
}

/** Who is let in to the account of this handle or id, first ones first. Throws not_found. */
export async function listIdentities(connection: Connection, handleOrId: string): Promise<SignInIdentity[]> {
  const { id } = await requireAccountCalled(connection, handleOrId);
  return findIdentities(connection, id);
}

/** Takes a person's way in to an account away; sessions that are open stay so. Throws not_found. */
export async function removeIdentity(
  connection: Connection,
  accountId: string,
  identity: Identity,
): Promise<void> {
  if (await deleteIdentity(connection, accountId, identity)) return;
  throw new DomainError(
    'not_found',
    'Nobody with this issuer and subject is let in to the account. List them with: identities list.',
  );
}

/** Throws invalid_request for what no provider issues: a subject is 1 to 255 characters, an issuer an address. */
export function requireIdentity({ issuer, subject }: Identity): void {
  const isIssuer = issuer.length <= 500 && /^https?:$/.test(URL.parse(issuer)?.protocol ?? '');
  if (!isIssuer || /[\p{C}\s]/u.test(issuer))
    throw invalid('The issuer is the address by which the provider calls itself.');
  if (!/^\P{C}{1,255}$/u.test(subject))
    throw invalid('The subject is 1 to 255 characters, as the provider gave it.');
}

function alreadyLetIn(): DomainError {
  return invalid('This person is let in to an account already. Take that away first: identities remove.');
}

function invalid(message: string): DomainError {
  return new DomainError('invalid_request', message);
}
