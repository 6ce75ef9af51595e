/** What lies at the bottom of a failure of the network. */
interface RootCause {
  readonly message: string;
  /** The runtime's word, such as `ECONNREFUSED`; empty where it has none. */
  readonly code: string;
}

/**
 * The first cause of a failure: `fetch` wraps it in an error that only says that it failed. Two texts and no objects, as
 * what a custom fetch throws may carry the request, and with it the key. The depth, beyond what any runtime nests, ends
 * causes that go round in a circle.
 */
export function rootCauseOf(failure: unknown, depth = 5): RootCause {
  const { message, code = '', cause } = Object(failure);
  if (cause && depth) return rootCauseOf(cause, depth - 1);
  return { message: `${message || code || failure}`, code: `${code}` };
}
