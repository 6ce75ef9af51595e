import { listenForChanges } from '../../database/listen-for-changes.ts';
import type { AnswerMemory } from './answer-memory.ts';

/**
 * Answers are kept for as long as changes by other processes are heard of, and forgotten where some may not have been. The
 * line may come back to another server than the reading sessions are on: they are made anew with it.
 */
export function keepWhileHeard(
  databaseUrl: string,
  memory: AnswerMemory,
  reads: { renewSessions(): void },
): { stop(): Promise<void> } {
  return listenForChanges(databaseUrl, {
    onReady: () => {
      reads.renewSessions();
      memory.open();
    },
    onChange: (change) => memory.drop(change),
    onLost: () => memory.close(),
  });
}
