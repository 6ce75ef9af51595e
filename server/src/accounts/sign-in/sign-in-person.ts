import { openSession } from '../../access/callers/session.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { retryConflicts } from '../../platform/database/retried-transaction.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { createUnnamedAccount } from '../create-account.ts';
import { insertIdentity, lockAccountOf } from './sign-in-identity.queries.ts';
import { type Identity, requireIdentity } from './sign-in-identity.ts';

/** Account and session of a signed-in person. */
export interface SignedIn {
  accountId: string;
  /** Null until the person chooses a handle. */
  handle: string | null;
  sessionId: string;
  /** Token of the new session, only for the browser. */
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
