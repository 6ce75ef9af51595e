/** What tells one logical call from another. */
export interface LogicalCall {
  /** The Authorization header, hashed by the caller: secrets are not kept. */
  readonly credential: string;
  readonly idempotencyKey: string;
  readonly operation: string;
  /** Trimmed. */
  readonly subject: string;
}

const DEFAULT_LIMIT = 10_000;

/** The idempotency keys that were answered with a result, the oldest forgotten first. It is the mock's only state. */
export class AnsweredKeys {
  readonly #limit: number;
  /** By credential and key; the value is what the key was used for. A Map keeps the order of insertion. */
  readonly #answered = new Map<string, string>();

  constructor(limit = DEFAULT_LIMIT) {
    this.#limit = limit;
  }

  /** Whether the key is new, was answered for this very call, or for another operation or subject. */
  stateOf(call: LogicalCall): 'new' | 'answered' | 'used for another call' {
    const known = this.#answered.get(nameOf(call));
    if (known === undefined) return 'new';
    return known === contentOf(call) ? 'answered' : 'used for another call';
  }

  /** Notes that a call got its result; the first result of a key counts. */
  note(call: LogicalCall): void {
    const name = nameOf(call);
    if (this.#answered.has(name)) return;
    this.#answered.set(name, contentOf(call));
    if (this.#answered.size <= this.#limit) return;
    const [oldest] = this.#answered.keys();
    if (oldest !== undefined) this.#answered.delete(oldest);
  }
}

const nameOf = ({ credential, idempotencyKey }: LogicalCall) => JSON.stringify([credential, idempotencyKey]);
const contentOf = ({ operation, subject }: LogicalCall) => JSON.stringify([operation, subject]);
