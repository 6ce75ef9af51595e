/** What a program loads that uses one function of the small entry point. */
export { lookupSubject } from '../../src/directory.ts';
