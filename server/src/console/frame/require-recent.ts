import { requireRecentSignIn } from '../../callers/recent-sign-in.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { Visit } from './visit.ts';

/**
 * Throws sign_in_again unless the visitor signed in a short while ago. Asked by pages whose form is refused otherwise, so
 * that nobody fills it in for nothing.
 */
export function requireRecent({ database }: ConsoleParts, { sessionId }: Visit): Promise<void> {
  return requireRecentSignIn(database, sessionId);
}
