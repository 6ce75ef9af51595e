import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { CONTRACT_PATH, PREPARED_CONTRACT_PATH } from '../../package-files.ts';
import { type Contract, type ContractDocument, type ContractRoute, contractOf } from './contract.ts';

/** Contract as parsed, validated and prepared by the build. */
export interface PreparedContract {
  /** Digest of the contract text from which the prepared form was built. The form is valid only for this text. */
  readonly of: string;
  readonly document: ContractDocument;
  readonly routes: readonly ContractRoute[];
}

/** Hashes the text of a contract. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

/**
 * Opens the project's contract (`openapi.yaml`). Uses the form that the build has prepared, unless the contract has
 * changed since the build; a changed contract is parsed. Without the prepared form, `prepared-contract.long.test.ts`
 * fails.
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
