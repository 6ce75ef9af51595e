import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { CONTRACT_PATH, PREPARED_CONTRACT_PATH } from '../../package-files.ts';
import { type Contract, type ContractDocument, type ContractRoute, contractOf } from './contract.ts';

/** Contract as parsed, validated and prepared by the build. */
export interface PreparedContract {
  /** Digest of the text from which it was made. It is valid for that text only. */
  readonly of: string;
  readonly document: ContractDocument;
  readonly routes: readonly ContractRoute[];
}

/** Hashes the text of a contract. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

let lastOpened: Contract | null = null;

/**
 * Opens the project's contract as the build has prepared it. If the text has changed since the build, it is parsed,
 * and its routes are created at the start. The result is memoized while the text stays the same.
 */
export async function openContract(
  path = CONTRACT_PATH,
  preparedPath = PREPARED_CONTRACT_PATH,
): Promise<Contract> {
  const text = await readFile(path, 'utf8');
  if (lastOpened?.text === text) return lastOpened;
  lastOpened = (await readPrepared(text, preparedPath)) ?? (await parse(text));
  return lastOpened;
}

async function readPrepared(text: string, path: string): Promise<Contract | null> {
  // An interrupted build leaves an incomplete file, which is ignored.
  const made: PreparedContract | null = await readFile(path, 'utf8')
    .then(JSON.parse)
    .catch(() => null);
  return made?.of === digestOf(text) ? contractOf(text, made.document, made.routes) : null;
}

/** Loads the parser only if it is needed. */
async function parse(text: string): Promise<Contract> {
  const { parseContract } = await import('./parse-contract.ts');
  return parseContract(text);
}
