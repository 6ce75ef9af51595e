import { type ChangeHearer, listenForChanges } from '../../database/listen-for-changes.ts';
import type { AnswerMemory } from './answer-memory.ts';

/** A line that has been silent for this long is not waited for: until it answers again, every request reads the database. */
const TRUSTED_MS = 900;

interface HearingOptions {
  readonly trustedMs?: number | undefined;
  /** Longest wait of a request for the line; the request then reads the database. */
  readonly confirmMs?: number | undefined;
}

/**
 * Keeps answers for as long as changes by other processes are heard, and forgets them where some may not have been. A request
 * that finds one waits until every change is heard that was committed before the request came: no process sends what another
 * process or a command has told its client to be over. Writers wait for no reader, and need to know of none. The line may come
 * back to another server than the reading sessions are on: they are made anew with it.
 */
export function keepWhileHeard(
  databaseUrl: string,
  memory: AnswerMemory,
  reads: { renewSessions(): void },
  { trustedMs = TRUSTED_MS, confirmMs }: HearingOptions = {},
): { stop(): Promise<void> } {
  const hearer: ChangeHearer = {
    onReady(since) {
      reads.renewSessions();
      memory.open(since + trustedMs);
    },
    onHeard: (until) => memory.trust(until + trustedMs),
    onChange: (change) => memory.drop(change),
    onLost: () => memory.close(),
  };
  const listening = listenForChanges(databaseUrl, hearer, confirmMs);
  memory.hearAll = listening.confirm;
  return listening;
}
