import { type Mock, startMock } from '../../../sdk/mock/start-mock.ts';

let shared: Promise<Mock> | undefined;

/**
 * Returns the mock of this worker, started as by `npm run mock`, on a free port. All test files of the worker share it,
 * because a start takes longer than their tests. It ends with the worker, and stores only the idempotency keys of metered
 * calls.
 */
export function sharedMock(): Promise<Mock> {
  shared ??= startMock({ host: '127.0.0.1', port: 0 });
  return shared;
}
