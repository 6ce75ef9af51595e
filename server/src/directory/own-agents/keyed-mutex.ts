import { DomainError } from '../../platform/errors/domain-error.ts';

/**
 * Returns a function that runs work one at a time per key, in order. Work that has waited `mostMs` or longer is
 * rejected with `unavailable` instead of started.
 */
export function createKeyedMutex(
  mostMs: number,
  now: () => number = () => performance.now(),
): <Result>(key: string, work: () => Promise<Result>) => Promise<Result> {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const askedAt = now();
    const begin = () => {
      if (now() - askedAt < mostMs) return work();
      throw new DomainError(
        'unavailable',
        'The service is busy with earlier requests of your account. Try again in a moment.',
        { retryAfterSeconds: 2 },
      );
    };
    const before = last.get(key);
    const result = before ? before.then(begin) : begin();
    const ended = result.then(
      () => undefined,
      () => undefined,
    );
    last.set(key, ended);
    void ended.then(() => {
      if (last.get(key) === ended) last.delete(key);
    });
    return result;
  };
}
