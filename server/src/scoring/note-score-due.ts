import { coalesce, onEach } from '../database/coalesce.ts';
import type { Connection } from '../database/connect.ts';
import { sharedRoom } from '../database/shared-room.ts';
import { insertNotes, insertOvertaken } from './score-due.repository.ts';

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

const NOTING_OVERTAKEN = onEach((connection) =>
  coalesce<{ id: string; since: string }, void>({
    name: 'note_overtaken',
    watch: connection.watch,
    async run(all) {
      await insertOvertaken(connection, all);
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

/**
 * Notes a subject whose current score rests on facts read at `factsReadAt` while maintenance has scored it from later
 * ones: the older facts won, because their score was recorded last. What waits to be noted goes in one statement.
 */
export async function noteOvertaken(connection: Connection, id: string, factsReadAt: Date): Promise<void> {
  const noting = NOTING_OVERTAKEN(connection)({ id, since: factsReadAt.toISOString() });
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
