import { DomainError } from '../../platform/errors/domain-error.ts';

/** Trims the note of a ledger entry and requires at most 500 printable characters. Throws invalid_request. */
export function requireNote(note: string): string {
  const text = note.trim();
  if (text.length <= 500 && !/[\p{Cc}\p{Cs}]/u.test(text)) return text;
  throw new DomainError('invalid_request', 'A note must have at most 500 printable characters.');
}
