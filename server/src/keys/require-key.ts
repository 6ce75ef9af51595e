import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { findKey } from './key.repository.ts';
import type { KeyRecord } from './key.ts';

/** A key of the asker's own account; throws not_found for any other, whether it exists or not. */
export async function requireKey(
  connection: Connection,
  accountId: string,
  keyId: string,
): Promise<KeyRecord> {
  const key = await findKey(connection, accountId, keyId);
  if (!key) throw new DomainError('not_found', 'Your account has no access key with this id.');
  return key;
}

/** One that can still be acted on; throws not_found, and invalid_request where it is over. */
export async function requireLivingKey(
  connection: Connection,
  accountId: string,
  keyId: string,
): Promise<KeyRecord> {
  const key = await requireKey(connection, accountId, keyId);
  if (key.state === 'active' || key.state === 'inactive') return key;
  const how = key.state === 'revoked' ? 'was revoked' : 'has expired';
  throw new DomainError('invalid_request', `This key ${how}, which is final. Create a new one.`);
}
