/** True in a run of `npm run test:nightly`, which tests every case. */
const IS_NIGHTLY = process.env.NIGHTLY === '1';

/** Returns the cases to test: all of them in a nightly run, otherwise those that `isSample` picks, at least one. */
export function sampleUnlessNightly<T>(cases: readonly T[], isSample: (each: T) => boolean): readonly T[] {
  const sample = IS_NIGHTLY ? cases : cases.filter(isSample);
  if (sample.length === 0) throw new Error('The sample is empty: it names no existing case.');
  return sample;
}
