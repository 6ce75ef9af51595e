/** What a program loads that uses the client alone. */
export { TrustDirectory } from '../../src/index.ts';
