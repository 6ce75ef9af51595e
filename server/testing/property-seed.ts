import fc from 'fast-check';

/** PROPERTY_SEED repeats a run of the generated tests; a new seed by default, which a failure prints. */
const seed = process.env.PROPERTY_SEED;
if (seed) fc.configureGlobal({ seed: Number(seed) });
