import { createBatcher } from '../../platform/batching/batcher.ts';
import { perConnection, statementLimiter } from '../../platform/batching/concurrency-control.ts';
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
 * Queues subjects whose score is outdated, in the caller's transaction if there is one. Subjects in `changed` have
 * changed facts of their own, so their children must be scored again after them. For subjects in `inheriting`, only
 * scores that they depend on have changed, such as those of a creator's listings. If a subject is queued again while it
 * is being scored, its queue entry remains.
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
  /** Queue entry that was read in the same snapshot as the facts; null if the subject was not queued. */
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
    // No caller waits for these statements, so they take at most one of the shared slots.
    maxInFlight: 1,
  }),
);

/** Dequeues those of the charged subjects that were queued when their facts were read, and queues their creators. */
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
 * Does the follow-up work of a charged score. If the subject was queued, dequeues it and queues its creator. If the
 * subject has meanwhile been scored from other facts without a charge, for example by a background job, queues it
 * again, because the last stored score may be that of the older facts. Batches concurrent calls.
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

/** Waits for pending follow-up work. Call it before a connection closes. */
export async function flushChargedScores(connection: Connection): Promise<void> {
  await Promise.allSettled(IN_FLIGHT(connection));
}
