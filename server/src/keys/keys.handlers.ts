import { requireAccount } from '../accounts/require-account.ts';
import type { Database } from '../database/connect.ts';
import type { HandlersOf } from '../http/contract/handlers-of.ts';
import { requireSession } from '../http/request-context.ts';
import type { PlanBook } from '../plans/plans.ts';
import { issueKey } from './issue-key.ts';
import { presentKey, presentKeyPage } from './keys.presenter.ts';
import { readKeys } from './list-keys.ts';
import { pauseOwnKey, resumeOwnKey, revokeOwnKey } from './own-keys.ts';

export interface KeyHandlerParts {
  database: Database;
  planBook: PlanBook;
}

type KeyHandlers = HandlersOf<'listKeys' | 'createKey' | 'pauseKey' | 'resumeKey' | 'revokeKey'>;

/** Access keys, for the console: translates requests and answers, decides nothing. */
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
