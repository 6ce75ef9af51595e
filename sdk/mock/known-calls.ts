import { randomUUID } from 'node:crypto';

/** What makes one metered call different from another. */
export interface LogicalCall {
  /** Hash of the caller's credential: secrets are not kept. */
  readonly credential: string;
  readonly idempotencyKey: string;
  readonly operation: string;
  /** Without the spaces around it. */
  readonly subject: string;
}

/** A call that was made, under the id of its receipt. */
interface KnownCall extends LogicalCall {
  readonly ledgerId: string;
  /** What it was answered with; null while it is running. */
  readonly answer: Readonly<Record<string, unknown>> | null;
}

/** What is known of the key of a call that is about to be made. */
type KeyState =
  | { readonly kind: 'new' }
  | { readonly kind: 'used for another call' }
  | { readonly kind: 'in progress' | 'answered'; readonly known: KnownCall };

const DEFAULT_LIMIT = 10_000;

/** Metered calls that are running or had a result; the oldest are forgotten first. The mock remembers nothing else. */
export class KnownCalls {
  readonly #limit: number;
  /** By credential and key. A Map keeps the order of insertion. */
  readonly #calls = new Map<string, KnownCall>();

  constructor(limit = DEFAULT_LIMIT) {
    this.#limit = limit;
  }

  /** Whether the key of a call is new, and what it was used for where it is not. */
  stateOf(call: LogicalCall): KeyState {
    const known = this.#calls.get(nameOf(call));
    if (!known) return { kind: 'new' };
    if (known.operation !== call.operation || known.subject !== call.subject) {
      return { kind: 'used for another call' };
    }
    return { kind: known.answer ? 'answered' : 'in progress', known };
  }

  /** Takes the key for a call, with a new ledger id; null where another call has it. End it with `answered` or `failed`. */
  begin(call: LogicalCall): KnownCall | null {
    if (this.#calls.has(nameOf(call))) return null;
    const begun = { ...call, ledgerId: randomUUID(), answer: null };
    this.#calls.set(nameOf(call), begun);
    if (this.#calls.size > this.#limit) {
      const [oldest] = this.#calls.keys();
      if (oldest !== undefined) this.#calls.delete(oldest);
    }
    return begun;
  }

  /** The call with this receipt. */
  withLedgerId(ledgerId: string): KnownCall | undefined {
    return [...this.#calls.values()].find((call) => call.ledgerId === ledgerId.toLowerCase());
  }

  /** Keeps what a call was answered with, for its repeats. */
  answered(call: KnownCall, answer: Readonly<Record<string, unknown>>): void {
    if (this.#calls.has(nameOf(call))) this.#calls.set(nameOf(call), { ...call, answer });
  }

  /** Frees the key of a call that had no result. */
  failed(call: KnownCall): void {
    this.#calls.delete(nameOf(call));
  }
}

const nameOf = ({ credential, idempotencyKey }: LogicalCall) => JSON.stringify([credential, idempotencyKey]);
