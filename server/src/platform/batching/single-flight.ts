/**
 * Shares one request among concurrent callers (single flight). A caller never gets the result of a request that was
 * sent before its call. It waits for the next request, which starts when the current one ends.
 */
export function singleFlight<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let inFlight: Promise<Answer> | null = null;
  let next: Promise<Answer> | null = null;

  function send(): Promise<Answer> {
    next = null;
    const request = ask();
    inFlight = request;
    const end = () => {
      if (inFlight === request) inFlight = null;
    };
    request.then(end, end);
    return request;
  }

  return () => {
    if (inFlight === null) return send();
    next ??= inFlight.then(send, send);
    return next;
  };
}

/**
 * Deduplicates calls (single flight): concurrent callers, and callers within `forMs` after the result, share one
 * result. `now` is a clock in milliseconds.
 */
export function cachedSingleFlight<Result>(
  forMs: number,
  ask: () => Promise<Result>,
  now: () => number,
): () => Promise<Result> {
  let asked: Promise<Result> | null = null;
  let answeredAt = Number.POSITIVE_INFINITY;
  return () => {
    if (asked !== null && now() - answeredAt < forMs) return asked;
    answeredAt = Number.POSITIVE_INFINITY;
    asked = ask().finally(() => {
      answeredAt = now();
    });
    return asked;
  };
}
