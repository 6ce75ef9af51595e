import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { CONTRACT_PATH } from '../../package-files.ts';
import { type Contract, type ContractDocument, contractOf } from './contract.ts';

/** Parses the text of a contract. */
export function parseContract(text: string): Contract {
  return contractOf(text, parse(text) as ContractDocument);
}

/** Contract that this process parsed last. Mocks and tests load the same file many times, and parsing it takes 250 ms. */
let last: Contract | null = null;

/**
 * Parses a contract file without using the build's result; by default the project's contract. Do not modify the
 * result, because later calls return the same object.
 */
export function loadContract(path: string = CONTRACT_PATH): Contract {
  const text = readFileSync(path, 'utf8');
  if (last?.text !== text) last = parseContract(text);
  return last;
}
