import type { Connection } from '../database/connect.ts';
import { lockCaller } from './caller.repository.ts';
import { requireLivingCaller } from './credential-errors.ts';
import type { Principal } from './principal.ts';

/**
 * Reads the key or session again FOR SHARE at the start of a transaction, so that what the transaction writes cannot
 * follow a revocation or sign-out that was already answered. Throws 401.
 */
export async function lockCredential(connection: Connection, principal: Principal): Promise<void> {
  const row = await lockCaller(connection, principal);
  requireLivingCaller(principal.keyId === null ? 'session' : 'key', row);
}
