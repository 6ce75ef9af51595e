import fc from 'fast-check';

/** PROPERTY_SEED repeats a run of the property tests; by default each run has a new seed, printed on failure. */
const seed = process.env.PROPERTY_SEED;
if (seed) fc.configureGlobal({ seed: Number(seed) });
