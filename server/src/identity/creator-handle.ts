import { DomainError } from '../domain-error.ts';

const HANDLE = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?$/;

/** A handle of this shape could be taken for another account's id, or for what is left of a deleted account. */
const RESERVED = /^(deleted-)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Throws invalid_request unless an account may bear this handle, as far as its letters go. */
export function requireHandle(handle: string): void {
  if (HANDLE.test(handle) && !RESERVED.test(handle)) return;
  throw new DomainError(
    'invalid_request',
    'A handle is 1 to 100 letters, digits, dots, hyphens or underscores, and begins and ends with a letter or digit; it may not look like an id.',
  );
}

/** The refusal of a handle that others bear, or that only the owner of a repository host's account may bear. */
export function handleTaken(handle: string): DomainError {
  return new DomainError(
    'handle_taken',
    `The handle ${handle} is borne by an account, creator or repository owner here. Choose another, or prove that account first.`,
  );
}
