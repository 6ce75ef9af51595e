import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { DIRECTORY_HOST } from '../subjects/naming.ts';

/** The creator handle of an account; null until its owner has chosen one after a first sign-in. */
export async function findHandle(connection: Connection, accountId: string): Promise<string | null> {
  const [account] = await connection.query<{ handle: string | null }>(
    'SELECT handle FROM account WHERE id = $1',
    [accountId],
  );
  return account?.handle ?? null;
}

/** The handle of the creator that an account has proved to be before its owner chose a handle; null without one. */
export async function findProvedHandle(connection: Connection, accountId: string): Promise<string | null> {
  const [creator] = await connection.query<{ handle: string }>(
    'SELECT handle FROM creator WHERE account_id = $1 AND host <> $2',
    [accountId, DIRECTORY_HOST],
  );
  return creator?.handle ?? null;
}

/** Throws forbidden for an account that has no creator handle yet: nothing can be listed under it. */
export async function requireChosenHandle(connection: Connection, accountId: string): Promise<void> {
  if ((await findHandle(connection, accountId)) !== null) return;
  throw new DomainError(
    'forbidden',
    'Your account has no creator handle yet. Choose one in the console, at /console/handle, and register again.',
  );
}
