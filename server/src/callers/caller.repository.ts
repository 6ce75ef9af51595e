import type { Connection } from '../database/connect.ts';
import { CALLER, type CallerRow, LOCKED_CALLER } from './caller.condition.ts';
import type { Credential, Principal } from './principal.ts';

/** Who presents a credential, and how they stand; null where nobody does. */
export async function findCaller(
  connection: Connection,
  { kind, hash }: Credential,
): Promise<CallerRow | null> {
  // SQL: the text that other rooms put into the statement that does their work.
  const [row] = await connection.query<CallerRow>(CALLER[kind], [hash]);
  return row ?? null;
}

/** The same by the id of the key or session, whose row is locked until the transaction ends. */
export async function lockCaller(
  connection: Connection,
  { keyId, sessionId }: Principal,
): Promise<CallerRow | null> {
  // SQL: the row is locked and judged in one statement.
  const [row] = await connection.query<CallerRow>(LOCKED_CALLER[keyId === null ? 'session' : 'key'], [
    keyId ?? sessionId,
  ]);
  return row ?? null;
}
