import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { findHandle, findProvedHandle } from './chosen-handle.repository.ts';

/** Whether the owner of an account has chosen its creator handle: a first sign-in makes an account without one. */
export async function hasChosenHandle(connection: Connection, accountId: string): Promise<boolean> {
  return (await findHandle(connection, accountId)) !== null;
}

/**
 * The creator handle of an account, null before its owner chose one; and the one to propose then: that of the creator
 * which the account has proved to be, or none.
 */
export async function proposeHandle(
  connection: Connection,
  accountId: string,
): Promise<{ handle: string | null; proposed: string | null }> {
  const handle = await findHandle(connection, accountId);
  return { handle, proposed: handle ?? (await findProvedHandle(connection, accountId)) };
}

/** Throws forbidden for an account that has no creator handle yet: nothing can be listed under it. */
export async function requireChosenHandle(connection: Connection, accountId: string): Promise<void> {
  if (await hasChosenHandle(connection, accountId)) return;
  throw new DomainError(
    'forbidden',
    'Your account has no creator handle yet. Choose one in the console, at /console/handle, and register again.',
  );
}
