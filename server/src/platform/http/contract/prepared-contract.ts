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

/**
 * Opens the project's contract as prepared by the build. If the text has changed since, it is parsed, and its routes
 * are created at the start. Without the prepared contract, `prepared-contract.long.test.ts` fails.
 */
export async function openContract(
  path = CONTRACT_PATH,
  preparedPath = PREPARED_CONTRACT_PATH,
): Promise<Contract> {
  const text = await readFile(path, 'utf8');
  return (await readPrepared(text, preparedPath)) ?? (await parse(text));
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
