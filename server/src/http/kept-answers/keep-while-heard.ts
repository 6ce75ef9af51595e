import { listenForChanges } from '../../database/listen-for-changes.ts';
import type { AnswerMemory } from './answer-memory.ts';

/**
 * How long after what was last heard of is sent from memory: a write by another process is seen within a second. A process
 * that stood still for longer reads anew until the line has answered, and then goes on with what it has.
 */
const TRUSTED_MS = 900;

/**
 * Answers are kept for as long as changes by other processes are heard of, and forgotten where some may not have been. The
 * line may come back to another server than the reading sessions are on: they are made anew with it.
 */
export function keepWhileHeard(
  databaseUrl: string,
  memory: AnswerMemory,
  reads: { renewSessions(): void },
  trustedMs = TRUSTED_MS,
): { stop(): Promise<void> } {
  const listening = listenForChanges(databaseUrl, {
    onReady(since) {
      reads.renewSessions();
      memory.open(since + trustedMs);
    },
    onHeard: (until) => memory.trust(until + trustedMs),
    onChange: (change) => memory.drop(change),
    onLost: () => memory.close(),
  });
  memory.hearAll = listening.answersNow;
  return listening;
}
