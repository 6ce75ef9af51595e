import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { saveRevoked } from './key.repository.ts';

/**
 * Revokes a key for good, effective for every request received after this returns, on every process. Throws not_found
 * where the account has no such key or it was revoked before.
 */
export async function revokeKey(
  connection: Connection,
  { id, handle }: { id: string; handle: string | null },
  keyId: string,
): Promise<void> {
  if (await saveRevoked(connection, id, keyId)) return;
  throw new DomainError('not_found', `${handle ?? id} has no key ${keyId} that could be revoked`);
}
