import { randomUUID } from 'node:crypto';

/** Identity of a metered call. */
export interface LogicalCall {
  /** Hash of the caller's credential; secrets are not stored. */
  readonly credential: string;
  readonly idempotencyKey: string;
  readonly operation: string;
  /** Subject without surrounding spaces. */
  readonly subject: string;
}

/** Stored call with its receipt id. */
interface StoredCall extends LogicalCall {
  readonly ledgerId: string;
  /** Response body; null while the call is running. */
  readonly answer: Readonly<Record<string, unknown>> | null;
}

/** State of an idempotency key before a call. */
type KeyState =
  | { readonly kind: 'new' }
  | { readonly kind: 'used for another call' }
  | { readonly kind: 'in progress' | 'answered'; readonly known: StoredCall };

const DEFAULT_LIMIT = 10_000;

/**
 * Stores the latest metered calls, running or answered; evicts the oldest. The mock remembers nothing else about
 * requests.
 */
export class IdempotencyStore {
  readonly #limit: number;
  /** Calls by credential and idempotency key, in order of insertion. */
  readonly #calls = new Map<string, StoredCall>();

  constructor(limit = DEFAULT_LIMIT) {
    this.#limit = limit;
  }

  /** Returns the state of a call's idempotency key. */
  stateOf(call: LogicalCall): KeyState {
    const known = this.#calls.get(nameOf(call));
    if (!known) return { kind: 'new' };
    if (known.operation !== call.operation || known.subject !== call.subject) {
      return { kind: 'used for another call' };
    }
    return { kind: known.answer ? 'answered' : 'in progress', known };
  }

  /**
   * Reserves the idempotency key for a call with a new receipt id; returns null if the key is taken. End the call with
   * `answered` or `failed`.
   */
  begin(call: LogicalCall): StoredCall | null {
    if (this.#calls.has(nameOf(call))) return null;
    const begun = { ...call, ledgerId: randomUUID(), answer: null };
    this.#calls.set(nameOf(call), begun);
    if (this.#calls.size > this.#limit) {
      const [oldest] = this.#calls.keys();
      if (oldest !== undefined) this.#calls.delete(oldest);
    }
    return begun;
  }

  /** Finds a call by receipt id. */
  withLedgerId(ledgerId: string): StoredCall | undefined {
    return [...this.#calls.values()].find((call) => call.ledgerId === ledgerId.toLowerCase());
  }

  /** Stores the response of a call for its replays. */
  answered(call: StoredCall, answer: Readonly<Record<string, unknown>>): void {
    if (this.#calls.has(nameOf(call))) this.#calls.set(nameOf(call), { ...call, answer });
  }

  /** Releases the idempotency key of a failed call. */
  failed(call: StoredCall): void {
    this.#calls.delete(nameOf(call));
  }
}

const nameOf = ({ credential, idempotencyKey }: LogicalCall) => JSON.stringify([credential, idempotencyKey]);
