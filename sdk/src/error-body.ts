import type { Failure } from './errors.ts';
import type { ErrorCode, SubjectReference } from './models.ts';

/** What a failing answer's body says, whatever its shape. */
export type ErrorBody = Pick<Failure, 'code' | 'ledgerId' | 'candidates'> & { message: string | null };

/**
 * Reads every body that a failure can have: `{ error: word, message }` of the directory, `{ error: sentence, code }` of
 * operations, problem+json, and bodies that are empty or no JSON.
 */
export function readErrorBody(body: unknown): ErrorBody {
  const members = asMembers(body);
  const error = asText(members.error);
  const message = asText(members.message);
  return {
    code: (message && error) ?? asText(members.code),
    message: message ?? error ?? asText(members.detail ?? members.title),
    ledgerId: asText(members.ledger_id),
    candidates: Array.isArray(members.candidates) ? (members.candidates as SubjectReference[]) : [],
  };
}

/** The body's machine-readable code; null where the text is no JSON or holds none. */
export function errorCodeOf(text: string): ErrorCode | null {
  try {
    return readErrorBody(JSON.parse(text)).code;
  } catch {
    return null;
  }
}

/** The members of an object; none where the value is something else. */
export function asMembers(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** A text; null where the value is empty or something else. */
export function asText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
