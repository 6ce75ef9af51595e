import { type Mock, startMock } from '../../../sdk/mock/start-mock.ts';

let shared: Promise<Mock> | undefined;

/**
 * Returns the mock of this worker, started as `npm run mock` starts it, on a free port. All test files of the worker share it,
 * because a start costs more than their tests. It ends with the worker, and keeps only the idempotency keys of metered calls.
 */
export function sharedMock(): Promise<Mock> {
  shared ??= startMock({ host: '127.0.0.1', port: 0 });
  return shared;
}
