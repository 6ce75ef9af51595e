import type { TrustDirectory } from '@trust-directory/sdk';

/** Prints one line of output. */
export type Print = (line: string) => void;

/** A program that does one thing with the directory and rejects if it can't. Arguments are optional. */
export type Example = (client: TrustDirectory, print: Print, ...args: string[]) => Promise<void>;
