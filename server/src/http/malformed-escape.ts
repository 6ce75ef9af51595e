import { DomainError } from '../domain-error.ts';

/** The failure of an address that cannot be decoded. */
export function malformedEscape(): DomainError {
  return new DomainError(
    'invalid_request',
    'The address has a % that stands for no character. Correct it; the character % itself is written %25.',
  );
}
