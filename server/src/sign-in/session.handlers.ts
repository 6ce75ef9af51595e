import { requireAccount } from '../accounts/require-account.ts';
import { lockRecentSignIn } from '../callers/recent-sign-in.ts';
import { endAllSessions, endSession, readSession } from '../callers/session.ts';
import type { Config } from '../config/load-config.ts';
import type { Connection, Database } from '../database/connect.ts';
import { chooseHandle } from '../handles/choose-handle.ts';
import type { HandlersOf, RequestOf } from '../http/contract/handlers-of.ts';
import { clearSessionCookie } from '../http/credentials/session-cookie.ts';
import { requirePrincipal, requireSession } from '../http/request-context.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import { presentSession } from './session.presenter.ts';

export interface SessionHandlerParts {
  database: Database;
  backend: ScoringBackend;
  config: Pick<Config, 'publicUrl'>;
}

type SessionHandlers = HandlersOf<'getSession' | 'signOut' | 'signOutEverywhere' | 'setHandle'>;

/** Who is signed in, for the console: translates requests and answers, decides nothing. */
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
