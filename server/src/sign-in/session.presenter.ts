import type { AccountRecord } from '../accounts/account.ts';
import type { SessionRecord } from '../callers/session.ts';
import type { ConsoleSession } from '../generated/types.gen.ts';

/** Who is signed in and until when, under the wire's names. */
export function presentSession(session: SessionRecord, { id, handle, plan }: AccountRecord): ConsoleSession {
  return {
    account: { id, handle, plan },
    opened_by: session.openedBy,
    opened_at: session.openedAt,
    idle_until: session.idleUntil,
    expires_at: session.expiresAt,
    recent_until: session.recentUntil,
  };
}
