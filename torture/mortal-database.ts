import type { Database } from '../server/src/database/connect.ts';

/** A database as a process sees it that may die: after its death no statement is sent and no answer comes. */
export interface MortalDatabase {
  readonly database: Database;
  /** Dies now: what waits, waits for ever. */
  die(): void;
  /** Dies after the next statement has taken effect, before its answer is heard. */
  dieUnheard(): void;
  /** Resolves with its death. */
  readonly death: Promise<void>;
}

/** Lets a call be abandoned in the middle, as a killed process abandons it, without killing this one. */
export function mortal(database: Database): MortalDatabase {
  let state: 'alive' | 'dying' | 'dead' = 'alive';
  let tellDeath: () => void;
  const death = new Promise<void>((resolve) => {
    tellDeath = resolve;
  });
  const die = () => {
    state = 'dead';
    tellDeath();
  };
  const never = () => new Promise<never>(() => undefined);
  const query: Database['query'] = async (sql, bind) => {
    if (state === 'dead') return never();
    const dying = state === 'dying';
    const rows = await database.query(sql, bind);
    if (dying) die();
    return state === 'alive' ? (rows as never) : never();
  };
  return {
    database: { ...database, query },
    die,
    dieUnheard: () => {
      state = 'dying';
    },
    death,
  };
}
