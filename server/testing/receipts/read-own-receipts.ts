import {
  ALL_RECEIPTS,
  listReceipts,
  lookUpReceipt,
  lookUpReceipts,
  type Receipt,
  type ReceiptFilters,
  readReceipt,
} from '../../src/billing/receipts/read-receipts.ts';
import { createPublicUrls } from '../../src/catalog/subjects/public-path.ts';
import type { Connection } from '../../src/platform/database/connect.ts';
import type { Credential } from '../../src/platform/http/credentials/principal.ts';

const NAMING = createPublicUrls('http://127.0.0.1:4000');

/** Reads a receipt as the owner of a credential. */
export async function readOwnReceipt(
  connection: Connection,
  credential: Credential,
  ledgerId: string,
): Promise<Receipt> {
  return readReceipt(connection, NAMING, await lookUpReceipt(connection, credential, ledgerId), ledgerId);
}

/** Reads a page of receipts as the owner of a credential; returns their ids. */
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
