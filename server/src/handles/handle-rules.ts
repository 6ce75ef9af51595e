import { DomainError } from '../domain-error.ts';
import { FIXED_SEGMENTS } from '../subjects/public-path.ts';

const HANDLE = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?$/;

/** A handle of this shape could be taken for another account's id, or for what is left of a deleted account. */
const RESERVED = /^(deleted-)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Names that would be taken for ours: anyone who has one could speak as the directory or its operator. */
const OUR_NAMES: ReadonlySet<string> = new Set(
  `about abuse account accounts admin administrator agent agents anonymous app billing blog cli contact creator creators
  demo directory everyone help home id identity info legal login logout mail me moderator new nobody null official operator
  postmaster privacy public register root sdk search security settings sign-up signin signout signup skill skills staff
  static status support svc system team terms trust trust-directory trustdirectory undefined unknown webmaster well-known
  www`.split(/\s+/),
);

/** Throws invalid_request unless an account may choose this handle, no matter who has it. */
export function requireHandle(handle: string): void {
  if (FIXED_SEGMENTS.has(handle.toLowerCase()) || OUR_NAMES.has(handle.toLowerCase())) {
    throw new DomainError('invalid_request', `The handle ${handle} is reserved. Choose another.`);
  }
  if (HANDLE.test(handle) && !RESERVED.test(handle)) return;
  throw new DomainError(
    'invalid_request',
    'A handle must be 1 to 100 letters, digits, dots, hyphens or underscores, must begin and end with a letter or digit, and must not look like an id.',
  );
}

/** The refusal of a handle that others have, or that only the owner of a repository host's account may have. */
export function handleTaken(handle: string): DomainError {
  return new DomainError(
    'handle_taken',
    `The handle ${handle} belongs to an account, creator or repository owner here. Choose another, or prove that account first.`,
  );
}
