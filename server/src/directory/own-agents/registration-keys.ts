import { hash } from 'node:crypto';
import { isWellFormedSecret } from '../../callers/secret.ts';
import type { Connection } from '../../database/connect.ts';
import { DomainError } from '../../domain-error.ts';
import { findKeptRegistration, type KeptRegistration } from './registration-keys.repository.ts';

/** What tells whether two registrations under one key are the same: all that was sent, spaces around texts apart. */
export interface KeyedRegistration {
  accountId: string;
  idempotencyKey: string;
  repoHostUrl: string;
  name: string;
  description: string;
  category: string;
  tags: readonly string[];
  type: string | null;
  parentId: string | null;
}

/** SHA-256 of the canonical JSON (keys in order, no spaces) of a registration, without its key. */
export function registrationFingerprint(
  sent: Omit<KeyedRegistration, 'accountId' | 'idempotencyKey'>,
): Buffer {
  const { category, description, name, parentId, repoHostUrl, tags, type } = sent;
  const canonical = JSON.stringify({ category, description, name, parentId, repoHostUrl, tags, type });
  return hash('sha256', canonical, 'buffer');
}

/** Throws invalid_request where the idempotency key is an access key, which would be kept. */
export function requireNoSecret(idempotencyKey: string): void {
  if (!isWellFormedSecret(idempotencyKey)) return;
  throw new DomainError(
    'invalid_request',
    'idempotency_key is an access key, which must stay secret. Use a random UUID.',
  );
}

/**
 * What the same registration came to when it was sent before; null where its key is new. Throws idempotency_key_reused
 * where the key belongs to another registration of the account.
 */
export async function findEarlierRegistration(
  connection: Connection,
  registration: KeyedRegistration,
): Promise<KeptRegistration | null> {
  const kept = await findKeptRegistration(connection, registration);
  if (kept === null || kept.fingerprint.equals(registrationFingerprint(registration))) return kept;
  throw new DomainError(
    'idempotency_key_reused',
    `This idempotency_key was used for a registration with another body, which became ${kept.agentId}. Send that body again, or a new key for a new registration.`,
  );
}
