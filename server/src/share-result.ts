/**
 * One question at a time, whose answer serves anyone who asks meanwhile or within `forMs` of it. `now` is a clock in
 * milliseconds.
 */
export function shareResult<Result>(
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
