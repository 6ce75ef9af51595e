import { DomainError } from '../domain-error.ts';

/** The note of a ledger entry, trimmed: up to 500 printable characters. Throws invalid_request. */
export function requireNote(note: string): string {
  const text = note.trim();
  if (text.length <= 500 && !/[\p{Cc}\p{Cs}]/u.test(text)) return text;
  throw new DomainError('invalid_request', 'A note has at most 500 printable characters.');
}
