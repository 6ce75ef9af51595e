import { DomainError } from '../../platform/errors/domain-error.ts';

/**
 * Returns a function that runs work one at a time per account, in order. Work that has waited `maxWaitMs` or longer is
 * rejected with `unavailable` instead of started.
 */
export function createAccountQueue(
  maxWaitMs: number,
  now: () => number = () => performance.now(),
): <Result>(accountId: string, work: () => Promise<Result>) => Promise<Result> {
  const last = new Map<string, Promise<unknown>>();
  return (accountId, work) => {
    const enqueuedAt = now();
    const begin = () => {
      if (now() - enqueuedAt < maxWaitMs) return work();
      throw new DomainError(
        'unavailable',
        'The service is busy with earlier requests of your account. Try again in a moment.',
        { retryAfterSeconds: 2 },
      );
    };
    const before = last.get(accountId);
    const result = before ? before.then(begin) : begin();
    const ended = result.then(
      () => undefined,
      () => undefined,
    );
    last.set(accountId, ended);
    void ended.then(() => {
      if (last.get(accountId) === ended) last.delete(accountId);
    });
    return result;
  };
}
