import type { Credential } from '../../src/callers/principal.ts';
import type { Connection } from '../../src/database/connect.ts';
import {
  ALL_RECEIPTS,
  listReceipts,
  lookUpReceipt,
  lookUpReceipts,
  type Receipt,
  type ReceiptFilters,
  readReceipt,
} from '../../src/receipts/read-receipts.ts';
import { createNaming } from '../../src/subjects/naming.ts';

const NAMING = createNaming('http://127.0.0.1:4000');

/** A receipt as the holder of a credential reads it. */
export async function readOwnReceipt(
  connection: Connection,
  credential: Credential,
  ledgerId: string,
): Promise<Receipt> {
  return readReceipt(connection, NAMING, await lookUpReceipt(connection, credential, ledgerId), ledgerId);
}

/** A page of receipts as the holder of a credential reads it, by their ids. */
export async function listOwnReceipts(
  connection: Connection,
  credential: Credential,
  changes: Partial<ReceiptFilters>,
): Promise<{ ids: string[]; nextCursor: string | null }> {
  const filters = { ...ALL_RECEIPTS, limit: 20, ...changes };
  const found = await lookUpReceipts(connection, credential, filters);
  const { receipts, nextCursor } = await listReceipts(connection, NAMING, found, filters.limit);
  return { ids: receipts.map(({ run }) => run.ledger_id), nextCursor };
}
