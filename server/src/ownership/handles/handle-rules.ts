import { RESERVED_SEGMENTS } from '../../catalog/subjects/public-path.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { isHandleTaken } from './set-handle.queries.ts';

const HANDLE = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?$/;

/** Handles of this shape could be confused with an account id, or with the name of a deleted account. */
const RESERVED = /^(deleted-)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Names that would look official: the owner of one could pose as the directory or its operator. */
const OUR_NAMES: ReadonlySet<string> = new Set(
  `about abuse account accounts admin administrator agent agents anonymous app billing blog cli contact creator creators
  demo directory everyone help home id identity info legal login logout mail me moderator new nobody null official operator
  postmaster privacy public register root sdk search security settings sign-up signin signout signup skill skills staff
  static status support svc system team terms trust trust-directory trustdirectory undefined unknown webmaster well-known
  www`.split(/\s+/),
);

/** Throws invalid_request unless this handle is allowed; it does not check whether the handle is free. */
export function requireHandle(handle: string): void {
  if (RESERVED_SEGMENTS.has(handle.toLowerCase()) || OUR_NAMES.has(handle.toLowerCase())) {
    throw new DomainError('invalid_request', `The handle ${handle} is reserved. Choose another.`);
  }
  if (HANDLE.test(handle) && !RESERVED.test(handle)) return;
  throw new DomainError(
    'invalid_request',
    'A handle must be 1 to 100 letters, digits, dots, hyphens or underscores, must begin and end with a letter or digit, and must not look like an id.',
  );
}

/** Returns the error for a handle that is taken, or that only the owner of an account on a repository host may have. */
export function handleTaken(handle: string): DomainError {
  return new DomainError(
    'handle_taken',
    `The handle ${handle} belongs to an account, creator or repository owner here. Choose another, or prove that account first.`,
  );
}

/** Throws handle_taken if an account, a creator or an owner of a listed repository has the handle. */
export async function requireFreeHandle(connection: Connection, handle: string): Promise<void> {
  if (await isHandleTaken(connection, handle)) throw handleTaken(handle);
}
