import { coalesce, onEach } from '../database/coalesce.ts';
import type { Connection } from '../database/connect.ts';
import { sharedRoom } from '../database/shared-room.ts';
import {
  creatorsOf,
  type DueNote,
  insertNotes,
  insertOvertaken,
  settleNotes,
} from './score-due.repository.ts';

export type { DueNote };

/**
 * Notes subjects whose score no longer follows from their facts, in the caller's transaction: those whose own facts
 * changed, which also decides what their children inherit, and those that only inherit something else. A note made while
 * a scoring is under way outlives it.
 */
export async function noteScoreDue(
  connection: Connection,
  changed: readonly string[],
  inheriting: readonly string[] = [],
): Promise<void> {
  const notes = [
    ...changed.map((id) => ({ id, own: true })),
    ...inheriting.map((id) => ({ id, own: false })),
  ];
  if (notes.length > 0) await insertNotes(connection, notes);
}

/** A score that a call was charged for and that is its subject's current one. */
export interface ChargedScore {
  id: string;
  factsReadAt: Date;
  /** Six decimals. */
  version: string;
  /** The note that was read in the snapshot of the facts. */
  dueNote: DueNote | null;
}

const NOTING_CHARGED = onEach((connection) =>
  coalesce<ChargedScore, void>({
    name: 'note_overtaken',
    watch: connection.watch,
    async run(all) {
      await settleCharged(connection, all);
      await insertOvertaken(
        connection,
        all.map(({ id, factsReadAt, version }) => ({ id, since: factsReadAt.toISOString(), version })),
      );
      return all.map(() => undefined);
    },
    room: sharedRoom(connection),
    laneOf: ({ id }) => id,
    // One statement for all that a tenth of a second brings: each takes as long as what it says of thirty subjects.
    lingersMs: 100,
    maxBatch: 256,
    maxInFlight: 1,
  }),
);

/** Takes off the notes whose facts were charged for, as maintenance does after it has scored them; their creators inherit. */
async function settleCharged(connection: Connection, all: readonly ChargedScore[]): Promise<void> {
  const notes = all.flatMap(({ dueNote }) => dueNote ?? []);
  if (notes.length === 0) return;
  const creators = await creatorsOf(
    connection,
    notes.map(({ id }) => id),
  );
  await noteScoreDue(connection, [], creators);
  await settleNotes(connection, notes);
}

/**
 * Notes what a charged score leaves to maintenance. Facts that it has scored are not due any more. A subject that maintenance has
 * scored since from other facts is due: the older facts won, because their score was recorded last. What waits to be noted
 * goes in one statement.
 */
export async function noteChargedScore(connection: Connection, score: ChargedScore): Promise<void> {
  const noting = NOTING_CHARGED(connection)(score);
  const underWay = UNDER_WAY(connection);
  underWay.add(noting);
  try {
    await noting;
  } finally {
    underWay.delete(noting);
  }
}

const UNDER_WAY = onEach(() => new Set<Promise<void>>());

/** Waits for the notes that nobody waited for; before a connection closes. */
export async function overtakenNoted(connection: Connection): Promise<void> {
  await Promise.allSettled(UNDER_WAY(connection));
}
