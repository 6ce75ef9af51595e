import { onEach } from './coalesce.ts';
import { createRoom } from './room.ts';

/** Where statements take long, or are of few calls, a second one keeps this process at work. */
const MOST_AT_WORK = 2;
/**
 * Else one at a time is enough: the database works on it while this process works on the answers of the one before. A second one
 * would take what few calls have come since, and to begin and to end a statement costs as much as ten of its rows. About as long
 * as a batch takes where nothing else is at work.
 */
const BESIDE_AFTER_MS = 3;
/** Longer than the largest batch takes. */
const LEAVE_AFTER_MS = 100;

/** The room of all statements of metered calls on one connection: calls of one batch go on to the next kind together. */
export const sharedRoom = onEach(() =>
  createRoom(MOST_AT_WORK, { besideAfterMs: BESIDE_AFTER_MS, leaveAfterMs: LEAVE_AFTER_MS }),
);
