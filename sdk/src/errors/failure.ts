/** What is behind a failure of the network. */
interface RootCause {
  readonly message: string;
  /** What the runtime calls it, such as `ECONNREFUSED`; empty where it has no word for it. */
  readonly code: string;
}

/**
 * The first cause of a failure: `fetch` wraps it in an error that only says that it failed. Two texts and no objects:
 * what a custom fetch throws may hold the request, and with it the key. The depth is more than any runtime nests, and ends
 * causes that go round in a circle.
 */
export function rootCauseOf(failure: unknown, depth = 5): RootCause {
  const { message, code = '', cause } = Object(failure);
  if (cause && depth) return rootCauseOf(cause, depth - 1);
  return { message: `${message || code || failure}`, code: `${code}` };
}
