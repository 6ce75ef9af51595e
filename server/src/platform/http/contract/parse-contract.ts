import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { CONTRACT_PATH } from '../../package-files.ts';
import { type Contract, type ContractDocument, contractOf } from './contract.ts';

/** Parses the text of a contract. */
export function parseContract(text: string): Contract {
  return contractOf(text, parse(text) as ContractDocument);
}

/** Parses a contract file without using the build's result. Default: the project's contract. */
export function loadContract(path: string = CONTRACT_PATH): Contract {
  return parseContract(readFileSync(path, 'utf8'));
}
