import { hash } from 'node:crypto';
import type { Connection } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { isWellFormedSecret } from '../../platform/http/credentials/secret.ts';
import { findStoredRegistration, type StoredRegistration } from './registration-keys.queries.ts';

/** Registration with its idempotency key. A repeated request must equal it in all fields. Texts are trimmed. */
interface KeyedRegistration {
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

/**
 * Returns the SHA-256 of a registration as canonical JSON (sorted keys, no spaces), without account and idempotency
 * key.
 */
export function registrationFingerprint(
  sent: Omit<KeyedRegistration, 'accountId' | 'idempotencyKey'>,
): Buffer {
  const { category, description, name, parentId, repoHostUrl, tags, type } = sent;
  const canonical = JSON.stringify({ category, description, name, parentId, repoHostUrl, tags, type });
  return hash('sha256', canonical, 'buffer');
}

/**
 * Throws invalid_request if the idempotency key has the form of an access key: idempotency keys are stored in plain
 * text.
 */
export function requireNoSecret(idempotencyKey: string): void {
  if (!isWellFormedSecret(idempotencyKey)) return;
  throw new DomainError(
    'invalid_request',
    'idempotency_key is an access key, which must stay secret. Use a random UUID.',
  );
}

/**
 * Returns the result of an earlier identical registration; null if the key is new. Throws idempotency_key_reused if the
 * key belongs to a different registration of the account.
 */
export async function findEarlierRegistration(
  connection: Connection,
  registration: KeyedRegistration,
): Promise<StoredRegistration | null> {
  const kept = await findStoredRegistration(connection, registration);
  if (kept === null || kept.fingerprint.equals(registrationFingerprint(registration))) return kept;
  throw new DomainError(
    'idempotency_key_reused',
    `This idempotency_key was used for a registration with another body, which became ${kept.agentId}. Send that body again, or a new key for a new registration.`,
  );
}

/**
 * Returns a function that runs work one at a time per account, in order, within this process. Work that has waited
 * `maxWaitMs` or longer is rejected with `unavailable` instead of started.
 */
export function createAccountQueue(
  maxWaitMs: number,
  now: () => number = () => performance.now(),
): <Result>(accountId: string, work: () => Promise<Result>) => Promise<Result> {
  const last = new Map<string, Promise<unknown>>();
  return (accountId, work) => {
    const enqueuedAt = now();
    const begin = () => {
      if (now() - enqueuedAt < maxWaitMs) return work();
      throw new DomainError(
        'unavailable',
        'The service is busy with earlier requests of your account. Try again in a moment.',
        { retryAfterSeconds: 2 },
      );
    };
    const before = last.get(accountId);
    const result = before ? before.then(begin) : begin();
    const ended = result.then(
      () => undefined,
      () => undefined,
    );
    last.set(accountId, ended);
    void ended.then(() => {
      if (last.get(accountId) === ended) last.delete(accountId);
    });
    return result;
  };
}
