import { onEach } from './coalesce.ts';
import { createRoom } from './room.ts';

/**
 * Two keep PostgreSQL and this process at work at the same time. With more, each takes what few calls have come since the
 * last one, and a statement costs about as much as thirty of its rows.
 */
const MOST_AT_WORK = 2;
/** Longer than the largest batch takes. */
const PATIENCE_MS = 100;

/** The room of all statements of metered calls on one connection: calls of one batch go on to the next kind together. */
export const sharedRoom = onEach(() => createRoom(MOST_AT_WORK, PATIENCE_MS));
