import { DomainError } from '../domain-error.ts';
import { watchedBackend } from '../scoring/backends/watched-backend.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';

/** How many metered calls one process works on at a time. */
export interface MostCalls {
  /** Those that are not at the scoring backend: they share the processor and the ledger. */
  readonly atWork: number;
  /** Those that wait for the scoring backend, with their credits held. */
  readonly scoring: number;
}

/**
 * Room for metered calls. A call beyond it is refused before it costs anything: were it taken, it would wait for all the
 * others and make each of them later, until none is answered in its time.
 */
export interface RoomForCalls {
  /** Throws the 503 of a call that there is no room for. Costs nothing: ask before a body is read. */
  require(): void;
  /** Does a call's work in a place of its own, from here to its end, whether its client still waits or not; or throws as above. */
  take<Result>(work: () => Promise<Result>): Promise<Result>;
  /** The same backend; calls that are there take none of the places at work. */
  backend(backend: ScoringBackend): ScoringBackend;
  /** How many there are, and how many were refused so far. */
  readonly counts: Readonly<Record<'atWork' | 'scoring' | 'refused', number>>;
}

/** Different, so that those who are refused at once don't come back at once. */
const RETRY_AFTER_SECONDS = [1, 2, 3];

function noRoom(retryAfterSeconds: number): DomainError {
  return new DomainError(
    'unavailable',
    'The service is temporarily overloaded. Nothing was charged; retry with the same idempotency_key.',
    { retryAfterSeconds },
  );
}

/** Room that nobody is in yet. */
export function createRoomForCalls(most: MostCalls): RoomForCalls {
  // Made once: an error of ours looks for the places that led to it, which costs more than all else here.
  const refusals = RETRY_AFTER_SECONDS.map(noRoom);
  const counts = { atWork: 0, scoring: 0, refused: 0 };

  function requireRoom(): void {
    if (counts.atWork < most.atWork && counts.scoring < most.scoring) return;
    counts.refused += 1;
    throw refusals[counts.refused % refusals.length];
  }

  return {
    counts,
    require: requireRoom,
    async take(work) {
      requireRoom();
      counts.atWork += 1;
      try {
        return await work();
      } finally {
        counts.atWork -= 1;
      }
    },
    backend: (backend) =>
      watchedBackend(backend, () => {
        counts.atWork -= 1;
        counts.scoring += 1;
        return () => {
          counts.scoring -= 1;
          counts.atWork += 1;
        };
      }),
  };
}
