/** True in a run of `npm run test:nightly`, which tests every case. */
export const IS_NIGHTLY = process.env.NIGHTLY === '1';

/** Test files of `npm test` that try more cases at night. The nightly project runs no other test files of `npm test`. */
export const LONGER_AT_NIGHT = [
  'contract-tests/generated-input-valid.contract.test.ts',
  'server/src/billing/balance/plan-model.db.test.ts',
  'server/src/billing/usage/usage-adds-up.db.test.ts',
  'server/src/catalog/subjects/reads-change-nothing.db.test.ts',
];

/** Returns how often to repeat a random test: `all` times in a nightly run, otherwise `fewer` times. */
export function fewerUnlessNightly(fewer: number, all: number): number {
  return IS_NIGHTLY ? all : fewer;
}

/** Returns the cases to test: all of them in a nightly run, otherwise those that `isSample` picks, at least one. */
export function sampleUnlessNightly<T>(
  cases: readonly T[],
  isSample: (each: T, index: number) => boolean,
): readonly T[] {
  const sample = IS_NIGHTLY ? cases : cases.filter(isSample);
  if (sample.length === 0) throw new Error('The sample is empty: it names no existing case.');
  return sample;
}
