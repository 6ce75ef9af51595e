import type { AccessKey, AccessKeyPage } from '../../generated/types.gen.ts';
import type { Database } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import type { HandlersOf } from '../../platform/http/contract/handlers-of.ts';
import { requireSession } from '../../platform/http/request-context.ts';
import { requireAccount } from '../callers/require-account.ts';
import type { PlanBook } from '../plans/plans.ts';
import { type CreatedKey, createKey, replaceKey } from './create-key.ts';
import type { KeyRecord } from './key-fields.ts';
import type { KeyPage } from './list-keys.ts';
import { readKeys } from './list-keys.ts';
import { pauseOwnKey, resumeOwnKey, revokeOwnKey } from './own-keys.ts';

/** Request from the console: a new key, or a replacement for another. */
export interface KeyRequest {
  sessionId: string;
  /** Null selects a default name or, for a replacement, the name of the old key. */
  name: string | null;
  /** Null for a replacement, which inherits the scopes. */
  scopes: readonly string[] | null;
  /** ISO 8601. Null selects no expiry or, for a replacement, the expiry of the old key. */
  expiresAt: string | null;
  replacesKeyId: string | null;
}

const USUAL_NAME = 'Access key';

/**
 * Creates or replaces a key from a console session. Throws the errors of `createKey`, and invalid_request if scopes are
 * missing for a new key or given for a replacement.
 */
export async function issueKey(
  database: Database,
  planBook: PlanBook,
  wish: KeyRequest,
): Promise<CreatedKey> {
  const { sessionId, name, scopes, expiresAt, replacesKeyId } = wish;
  if (replacesKeyId !== null) {
    if (scopes !== null) {
      throw new DomainError(
        'invalid_request',
        'A key that replaces another inherits its scopes: leave scopes out, or create a key without replacing one.',
      );
    }
    return replaceKey(database, planBook, { sessionId, replacesKeyId, name, expiresAt });
  }
  // If no scopes are given, pass an empty list: createKey rejects it with a message that names the available ones.
  return createKey(database, planBook, {
    sessionId,
    name: name ?? USUAL_NAME,
    scopes: scopes ?? [],
    expiresAt,
  });
}

export interface KeyHandlerParts {
  database: Database;
  planBook: PlanBook;
}

type KeyHandlers = HandlersOf<'listKeys' | 'createKey' | 'pauseKey' | 'resumeKey' | 'revokeKey'>;

/** Creates the console's handlers for access keys: they only translate requests and answers. */
export function createKeyHandlers({ database, planBook }: KeyHandlerParts): KeyHandlers {
  return {
    async listKeys(request) {
      const { accountId } = requireSession(request);
      const { state = null, cursor = null, limit } = request.query;
      const { plan } = await requireAccount(database, accountId);
      const page = await readKeys(database, planBook, { accountId, plan }, { state, cursor, limit });
      return { status: 200, body: presentKeyPage(page) };
    },
    async createKey(request) {
      const { sessionId } = requireSession(request);
      const { name = null, scopes = null, expires_at, replaces_key_id } = request.body;
      const { record, secret } = await issueKey(database, planBook, {
        sessionId,
        name,
        scopes,
        expiresAt: expires_at ?? null,
        replacesKeyId: replaces_key_id ?? null,
      });
      return { status: 201, body: { key: presentKey(record), secret } };
    },
    async pauseKey(request) {
      const { sessionId } = requireSession(request);
      const key = await pauseOwnKey(database, sessionId, request.params.id);
      return { status: 200, body: presentKey(key) };
    },
    async resumeKey(request) {
      const { sessionId } = requireSession(request);
      const key = await resumeOwnKey(database, planBook, sessionId, request.params.id);
      return { status: 200, body: presentKey(key) };
    },
    async revokeKey(request) {
      const { sessionId } = requireSession(request);
      const key = await revokeOwnKey(database, sessionId, request.params.id);
      return { status: 200, body: presentKey(key) };
    },
  };
}

/** Converts a key to the API's format, without its secret. */
export function presentKey(key: KeyRecord): AccessKey {
  const { id, name, last_four, scopes, state, created_at, expires_at, last_used_at } = key;
  const { monthly_calls, monthly_credits } = key;
  const limits = { monthly_calls, monthly_credits };
  return { id, name, last_four, scopes, state, created_at, expires_at, last_used_at, ...limits };
}

/** Converts a page of keys to the API's format. */
function presentKeyPage({ keys, nextCursor, active, limit }: KeyPage): AccessKeyPage {
  return { data: keys.map(presentKey), nextCursor, active_keys: active, active_key_limit: limit };
}
