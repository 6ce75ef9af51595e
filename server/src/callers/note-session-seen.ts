import type { Connection } from '../database/connect.ts';
import { saveSessionSeen } from './session.repository.ts';

/** Notes that the session behind a request was used, where that is due: once a minute. A key's use is noted elsewhere. */
export async function noteSessionSeen(
  connection: Connection,
  { sessionId, unnoted }: { sessionId: string | null; unnoted: boolean },
): Promise<void> {
  if (sessionId !== null && unnoted) await saveSessionSeen(connection, sessionId);
}
