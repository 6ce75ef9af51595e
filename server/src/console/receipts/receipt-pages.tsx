import { DomainError } from '../../domain-error.ts';
import { requireKey } from '../../keys/require-key.ts';
import type { RunState } from '../../ledger/look-up.ts';
import { OPERATIONS } from '../../plans/plans.ts';
import {
  listReceipts,
  lookUpReceipt,
  lookUpReceipts,
  readBoughtScore,
  readReceipt,
} from '../../receipts/read-receipts.ts';
import { presentReceipt } from '../../receipts/receipt.presenter.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { Page } from '../frame/answer.ts';
import type { ConsoleRouter } from '../frame/console-router.ts';
import { partOf, type Visit } from '../frame/visit.ts';
import { ReceiptList } from './receipt-list-view.tsx';
import { ReceiptView } from './receipt-view.tsx';

const LIST = '/console/receipts';
const PAGE_SIZE = 25;
const STATES: readonly RunState[] = ['settled', 'failed', 'reserved'];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Every call of the account, and what it came to. */
export function registerReceiptPages(router: ConsoleRouter, parts: ConsoleParts): void {
  router.show(LIST, (visit) => showReceipts(parts, visit));
  router.show(`${LIST}/:ledgerId`, (visit) => showReceipt(parts, visit));
}

async function showReceipts({ database, naming }: ConsoleParts, visit: Visit): Promise<Page> {
  const { query, credential } = visit;
  const filters = {
    operation: OPERATIONS.find((operation) => operation === query.get('operation')) ?? null,
    state: STATES.find((state) => state === query.get('state')) ?? null,
  };
  const cursor = query.get('cursor');
  const asked = { ...filters, cursor, limit: PAGE_SIZE };
  const found = await lookUpReceipts(database, credential, asked);
  const { receipts, nextCursor } = await listReceipts(database, naming, found, PAGE_SIZE);
  const shown = receipts.map(presentReceipt);
  const content = (
    <ReceiptList receipts={shown} filters={filters} nextCursor={nextCursor} isFirst={cursor === null} />
  );
  return { title: 'Receipts', tab: 'receipts', content };
}

async function showReceipt({ database, naming }: ConsoleParts, visit: Visit): Promise<Page> {
  const ledgerId = partOf(visit, 'ledgerId');
  if (!UUID.test(ledgerId))
    throw new DomainError('not_found', 'A receipt’s address ends with its ledger id.');
  const found = await lookUpReceipt(database, visit.credential, ledgerId);
  const receipt = await readReceipt(database, naming, found, ledgerId);
  const { counted_key_id: keyId } = receipt.run;
  const key = keyId === null ? null : await requireKey(database, visit.accountId, keyId);
  const content = (
    <ReceiptView
      receipt={presentReceipt(receipt)}
      keyRecord={key}
      bought={await readBoughtScore(database, receipt.run)}
      query={visit.query}
    />
  );
  return { title: 'Receipt', tab: 'receipts', content };
}
