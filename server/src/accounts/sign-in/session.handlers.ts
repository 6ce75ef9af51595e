import type { AccountRecord } from '../../access/callers/require-account.ts';
import { requireAccount } from '../../access/callers/require-account.ts';
import type { SessionRecord } from '../../access/callers/session.ts';
import { endAllSessions, endSession, lockRecentSignIn, readSession } from '../../access/callers/session.ts';
import type { ConsoleSession } from '../../generated/types.gen.ts';
import { chooseHandle } from '../../ownership/handles/choose-handle.ts';
import type { Config } from '../../platform/config/load-config.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import type { HandlersOf, RequestOf } from '../../platform/http/contract/handlers-of.ts';
import { clearSessionCookie } from '../../platform/http/credentials/attempt-cookies.ts';
import { requirePrincipal, requireSession } from '../../platform/http/request-context.ts';
import type { ScoringBackend } from '../../scoring/scoring-backend.ts';

export interface SessionHandlerParts {
  database: Database;
  backend: ScoringBackend;
  config: Pick<Config, 'publicUrl'>;
}

type SessionHandlers = HandlersOf<'getSession' | 'signOut' | 'signOutEverywhere' | 'setHandle'>;

/** Creates the console's handlers that show and end sessions and set the account's handle. */
export function createSessionHandlers({ database, backend, config }: SessionHandlerParts): SessionHandlers {
  async function sessionOf(request: RequestOf<'getSession' | 'setHandle'>) {
    const { accountId, sessionId } = requireSession(request);
    const session = await readSession(database, sessionId);
    return presentSession(session, await requireAccount(database, accountId));
  }
  return {
    async getSession(request) {
      return { status: 200, body: await sessionOf(request) };
    },
    async signOut(request, reply) {
      await endSession(database, requireSession(request).sessionId);
      clearSessionCookie(reply, config.publicUrl);
      return { status: 204 };
    },
    async signOutEverywhere(request, reply) {
      const ended = await endAllSessions(database, requireSession(request).accountId);
      clearSessionCookie(reply, config.publicUrl);
      return { status: 200, body: { ended } };
    },
    async setHandle(request) {
      const principal = requirePrincipal(request);
      const { handle } = request.body;
      await chooseHandle(database, backend, {
        accountId: principal.accountId,
        handle,
        lockRecentSignIn: (connection: Connection) => lockRecentSignIn(connection, principal),
      });
      return { status: 200, body: await sessionOf(request) };
    },
  };
}

/** Converts a session to the API's format. */
function presentSession(session: SessionRecord, { id, handle, plan }: AccountRecord): ConsoleSession {
  return {
    account: { id, handle, plan },
    opened_by: session.openedBy,
    opened_at: session.openedAt,
    idle_until: session.idleUntil,
    expires_at: session.expiresAt,
    recent_until: session.recentUntil,
  };
}
