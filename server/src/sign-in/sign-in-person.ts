import { createUnnamedAccount } from '../accounts/create-account.ts';
import { openSession } from '../callers/session.ts';
import type { Connection, Database } from '../database/connect.ts';
import { retryConflicts } from '../database/retry-conflicts.ts';
import { inTransaction } from '../database/transaction.ts';
import { DomainError } from '../domain-error.ts';
import { insertIdentity, lockAccountOf } from './sign-in-identity.repository.ts';
import { type Identity, requireIdentity } from './sign-in-identity.ts';

/** A person who is in. */
export interface SignedIn {
  accountId: string;
  /** Null until the person chooses a creator handle. */
  handle: string | null;
  sessionId: string;
  /** The new session's, for the browser and nobody else. */
  token: string;
}

/**
 * Signs in a person whom a provider has vouched for: opens a session of their account. Somebody unknown gets a free
 * account where sign-up is open, of any number at once a single one; null where it is closed. Throws forbidden where the
 * account is suspended or deleted, and invalid_request for what no provider issues.
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
  // Two first sign-ins at once: one makes the account, the other finds it.
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
    'Your account here is suspended or was deleted, so nobody can sign in to it. Ask the operator of this directory.',
  );
}
