import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { CONTRACT_PATH } from '../../config/own-files.ts';
import { type Contract, type ContractDocument, contractOf } from './contract.ts';

/** Reads a contract from its text. */
export function parseContract(text: string): Contract {
  return contractOf(text, parse(text) as ContractDocument);
}

/** Parses a contract, whatever the build has made of it; it stands at the root of the project unless a path is given. */
export function loadContract(path: string = CONTRACT_PATH): Contract {
  return parseContract(readFileSync(path, 'utf8'));
}
