import { setTimeout as wait } from 'node:timers/promises';
import { errorCode } from '../../database/database-errors.ts';
import { ListedMeanwhile } from '../save-listings-apply.ts';

// Unique violation, serialisation, deadlock, lock timeout: somebody else was quicker, and the same batch fits now.
const CONFLICTS = new Set(['23505', '40001', '40P01', '55P03']);
const ATTEMPTS = 6;
const WAIT_MS = 200;

/** Does the work of one transaction again, up to five times, when it met somebody else's. */
export async function retryConflicts<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !isConflict(error)) throw error;
      await wait(attempt * WAIT_MS);
    }
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof ListedMeanwhile || CONFLICTS.has(errorCode(error)?.code ?? '');
}
