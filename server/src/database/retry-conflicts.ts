import { setTimeout as wait } from 'node:timers/promises';
import { errorCode, isUnfitStatement } from './database-errors.ts';

// Unique violation, serialisation, deadlock, lock timeout: somebody else was quicker, and the same work fits now.
const CONFLICTS = new Set(['23505', '40001', '40P01', '55P03']);
const ATTEMPTS = 6;
const WAIT_MS = 200;

/**
 * Does work that is atomic (a transaction, or one statement) again, up to five times, when it met somebody else's.
 * `isConflict` names errors of the caller's own that mean the same.
 */
export async function retryConflicts<Result>(
  work: () => Promise<Result>,
  isConflict: (error: unknown) => boolean = () => false,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const code = errorCode(error)?.code ?? '';
      const conflict = CONFLICTS.has(code) || isUnfitStatement(error) || isConflict(error);
      if (attempt === ATTEMPTS || !conflict) throw error;
      await wait(attempt * WAIT_MS);
    }
  }
}
