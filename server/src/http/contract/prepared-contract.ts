import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { CONTRACT_PATH, PREPARED_CONTRACT_PATH } from '../../config/own-files.ts';
import { type Contract, type ContractDocument, type ContractRoute, contractOf } from './contract.ts';

/** What the build has read, judged and made of a contract, so that a start need not. */
export interface PreparedContract {
  /** The digest of the text that it was made of: it is of no use for any other. */
  readonly of: string;
  readonly document: ContractDocument;
  readonly routes: readonly ContractRoute[];
}

/** Tells one text from every other. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

let lastOpened: Contract | null = null;

/**
 * The contract of the project, as the build prepared it; a text that it has not seen is parsed, and its routes are still to
 * be made. As long as the text stays the same that is done once.
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
  // A build that was cut short leaves half a file: of no use, like none.
  const made: PreparedContract | null = await readFile(path, 'utf8')
    .then(JSON.parse)
    .catch(() => null);
  return made?.of === digestOf(text) ? contractOf(text, made.document, made.routes) : null;
}

/** What parses is loaded only where something is to be parsed. */
async function parse(text: string): Promise<Contract> {
  const { parseContract } = await import('./parse-contract.ts');
  return parseContract(text);
}
