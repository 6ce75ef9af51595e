import type { Connection } from '../database/connect.ts';
import { CredentialFilter } from './credential-filter.ts';
import { readAllCredentials, readClock, readNewCredentials } from './known-credentials.repository.ts';
import type { Credential } from './principal.ts';

/** So many readings a second at most, no matter who guesses. */
const PAUSE_MS = 250;
/** The filter is made anew after this, so that credentials which ended in the meantime take no room. */
const RENEWED_EVERY_MS = 3_600_000;

/** Tells guesses from credentials that exist, for addresses that have guessed too often. */
export interface KnownCredentials {
  /**
   * False only for a credential that was in no row when the table was read, which began after this question was asked: so
   * it is never false for one whose making was answered, by whatever process. True says nothing: the statement that does
   * the work judges it. Where the database cannot be read it is true.
   */
  mayExist(credential: Credential): Promise<boolean>;
}

/**
 * Keeps a filter of the keys and sessions there are, in a fixed size. Nothing is read before somebody asks; from then on
 * all who ask share one reading of what is new, four times a second at most.
 */
export function createKnownCredentials(
  connection: Connection,
  pause: () => Promise<void> = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS).unref()),
  now: () => number = () => performance.now(),
): KnownCredentials {
  let filter: CredentialFilter | null = null;
  let filledAt = 0;
  let readUpTo = '';
  let earlier: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | null = null;

  async function read(): Promise<void> {
    if (filter !== null && now() - filledAt < RENEWED_EVERY_MS) {
      const known = filter;
      readUpTo = await readNewCredentials(connection, readUpTo, (hash) => known.add(hash));
      return;
    }
    const fresh = new CredentialFilter();
    const start = await readClock(connection);
    await readAllCredentials(connection, (hash) => fresh.add(hash));
    // What was made while it was read may lie before the place that the reading had reached.
    readUpTo = await readNewCredentials(connection, start, (hash) => fresh.add(hash));
    filter = fresh;
    filledAt = now();
  }

  /** The next reading to begin: anyone who asks while one is under way may have been too late for it. */
  function readAgain(): Promise<void> {
    next ??= earlier.then(() => {
      next = null;
      const reading = read();
      earlier = reading.catch(() => undefined).then(pause);
      return reading;
    });
    return next;
  }

  return {
    async mayExist({ hash }) {
      if (filter?.mayHold(hash)) return true;
      try {
        await readAgain();
      } catch {
        return true;
      }
      return filter?.mayHold(hash) ?? true;
    },
  };
}
