import type { Connection } from '../database/connect.ts';
import { handleTaken } from './handle-rules.ts';
import { isHeld } from './take-handle.repository.ts';

/** Throws handle_taken where an account or a creator has the handle, or an owner of a listed repository. */
export async function requireFreeHandle(connection: Connection, handle: string): Promise<void> {
  if (await isHeld(connection, handle)) throw handleTaken(handle);
}
