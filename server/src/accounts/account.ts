export type AccountState = 'active' | 'suspended' | 'deleted';

/** A customer of the metered API, as commands and the console know it. */
export interface AccountRecord {
  id: string;
  /** Null until the owner of an account that a first sign-in made has chosen one. */
  handle: string | null;
  /** The plan in force. */
  plan: string;
  state: AccountState;
  /** ISO 8601 UTC, with microseconds. */
  createdAt: string;
}

/** The same with the number of its keys that work now. */
export interface CountedAccount extends AccountRecord {
  activeKeys: number;
}
