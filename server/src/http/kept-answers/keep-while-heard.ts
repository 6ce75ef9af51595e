import { listenForChanges } from '../../database/listen-for-changes.ts';
import type { AnswerMemory } from './answer-memory.ts';

/** Answers are kept for as long as changes by other processes are heard of, and forgotten where some may not have been. */
export function keepWhileHeard(databaseUrl: string, memory: AnswerMemory): { stop(): Promise<void> } {
  return listenForChanges(databaseUrl, {
    onReady: () => memory.open(),
    onChange: (change) => memory.drop(change),
    onLost: () => memory.close(),
  });
}
