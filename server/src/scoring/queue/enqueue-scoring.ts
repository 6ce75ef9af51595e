import { createBatcher, perConnection } from '../../platform/batching/batcher.ts';
import { statementLimiter } from '../../platform/batching/statement-limiter.ts';
import type { Connection } from '../../platform/database/connect.ts';
import {
  creatorsOf,
  dequeue,
  enqueueOvertaken,
  insertQueueEntries,
  type ScoringQueueEntry,
} from './scoring-queue.queries.ts';

export type { ScoringQueueEntry };

/**
 * Queues subjects whose score is outdated, in the caller's transaction: `changed` are those whose own facts changed,
 * which also affects what their children inherit; `inheriting` are those that only inherit something else. An entry
 * made during a scoring survives it.
 */
export async function enqueueScoring(
  connection: Connection,
  changed: readonly string[],
  inheriting: readonly string[] = [],
): Promise<void> {
  const notes = [
    ...changed.map((id) => ({ id, own: true })),
    ...inheriting.map((id) => ({ id, own: false })),
  ];
  if (notes.length > 0) await insertQueueEntries(connection, notes);
}

/** A charged score that is now its subject's current one. */
export interface ChargedScore {
  id: string;
  factsReadAt: Date;
  /** ISO 8601, six decimals. */
  version: string;
  /** Queue entry that was read in the same snapshot as the facts. */
  queueEntry: ScoringQueueEntry | null;
}

const CHARGED_SCORE_BATCHER = perConnection((connection) =>
  createBatcher<ChargedScore, void>({
    name: 'note_overtaken',
    watch: connection.watch,
    async run(all) {
      await settleCharged(connection, all);
      await enqueueOvertaken(
        connection,
        all.map(({ id, factsReadAt, version }) => ({ id, since: factsReadAt.toISOString(), version })),
      );
      return all.map(() => undefined);
    },
    limiter: statementLimiter(connection),
    partitionKeyOf: ({ id }) => id,
    // No caller waits for these, so they take at most one of the shared slots.
    maxInFlight: 1,
  }),
);

/**
 * Dequeues subjects whose facts a call has just scored, as maintenance does after scoring, and queues their creators.
 */
async function settleCharged(connection: Connection, all: readonly ChargedScore[]): Promise<void> {
  const notes = all.flatMap(({ queueEntry }) => queueEntry ?? []);
  if (notes.length === 0) return;
  const creators = await creatorsOf(
    connection,
    notes.map(({ id }) => id),
  );
  await enqueueScoring(connection, [], creators);
  await dequeue(connection, notes);
}

/**
 * Queues the follow-up work of a charged score and dequeues facts that it has scored. A subject that maintenance has
 * meanwhile scored from other facts is queued: the older facts won, because their score was stored last. Calls are
 * batched into one statement.
 */
export async function followUpChargedScore(connection: Connection, score: ChargedScore): Promise<void> {
  const noting = CHARGED_SCORE_BATCHER(connection)(score);
  const inFlight = IN_FLIGHT(connection);
  inFlight.add(noting);
  try {
    await noting;
  } finally {
    inFlight.delete(noting);
  }
}

const IN_FLIGHT = perConnection(() => new Set<Promise<void>>());

/** Waits for pending fire-and-forget writes; called before a connection closes. */
export async function flushChargedScores(connection: Connection): Promise<void> {
  await Promise.allSettled(IN_FLIGHT(connection));
}
