import { onEach } from '../database/coalesce.ts';
import { createTurns } from '../database/turns.ts';

/** Holds, charges and reversals lock the buckets of their accounts: of each account one statement at a time is under way. */
export const ledgerTurns = onEach(createTurns);
