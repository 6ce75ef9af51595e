/** What a program loads that uses every function of the small entry point. */
export * from '../../src/directory.ts';
