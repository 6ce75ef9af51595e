import { DomainError } from '../../domain-error.ts';
import type { KeyRecord } from '../../keys/key.ts';
import { keysToChoose } from '../../keys/list-keys.ts';
import { requireKey } from '../../keys/require-key.ts';
import {
  listReceipts,
  lookUpReceipt,
  type ReceiptPage,
  readBoughtScore,
  readReceipt,
} from '../../receipts/read-receipts.ts';
import { presentReceipt } from '../../receipts/receipt.presenter.ts';
import { searchReceipts } from '../../receipts/search-receipts.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { Answer, Page } from '../frame/answer.ts';
import type { ConsoleRouter } from '../frame/console-router.ts';
import { partOf, type Visit } from '../frame/visit.ts';
import { LIST, type ReceiptFilter, readReceiptFilter, UUID } from './receipt-filter.ts';
import { ReceiptList } from './receipt-list-view.tsx';
import { ReceiptView } from './receipt-view.tsx';

const PAGE_SIZE = 25;

/** Every call of the account, and what it came to. */
export function registerReceiptPages(router: ConsoleRouter, parts: ConsoleParts): void {
  router.show(LIST, (visit) => showReceipts(parts, visit));
  router.show(`${LIST}/:ledgerId`, (visit) => showReceipt(parts, visit));
}

async function showReceipts(parts: ConsoleParts, visit: Visit): Promise<Answer> {
  const { database } = parts;
  const { query, accountId } = visit;
  const filter = readReceiptFilter(query);
  const named = filter.text === null ? null : await receiptCalled(parts, visit, filter.text);
  if (named !== null) return { redirectTo: `${LIST}/${named}` };
  const keys = await keysToChoose(database, accountId, filter.keyId);
  const { receipts, nextCursor, lookedBackTo } = await findReceipts(parts, visit, filter, keys);
  const content = (
    <ReceiptList
      receipts={receipts.map(presentReceipt)}
      filter={filter}
      keys={keys}
      nextCursor={nextCursor}
      lookedBackTo={lookedBackTo}
      isFirst={query.get('cursor') === null}
    />
  );
  return { title: 'Receipts', tab: 'receipts', content };
}

/** The receipt whose id was typed; null where it is none of the account. */
async function receiptCalled({ database }: ConsoleParts, visit: Visit, text: string): Promise<string | null> {
  if (!UUID.test(text)) return null;
  const { runs } = await lookUpReceipt(database, visit.credential, text);
  return runs[0]?.ledger_id ?? null;
}

/** One page of what the filter asks for. */
async function findReceipts(
  { database, naming }: ConsoleParts,
  { credential, query }: Visit,
  { day, ...filter }: ReceiptFilter,
  keys: readonly KeyRecord[],
): Promise<ReceiptPage> {
  const { text } = filter;
  const keyIds = text === null ? [] : keys.filter((key) => isCalled(key, text)).map(({ id }) => id);
  const search = { ...filter, keyIds, from: day, to: day, cursor: query.get('cursor'), limit: PAGE_SIZE };
  const found = await searchReceipts(database, naming, credential, search);
  return listReceipts(database, naming, found, PAGE_SIZE);
}

function isCalled({ name, last_four }: KeyRecord, text: string): boolean {
  return name.toLowerCase().includes(text.toLowerCase()) || text.replace(/^…/, '') === last_four;
}

async function showReceipt({ database, naming }: ConsoleParts, visit: Visit): Promise<Page> {
  const ledgerId = partOf(visit, 'ledgerId');
  if (!UUID.test(ledgerId))
    throw new DomainError('not_found', 'The address of a receipt must end with its ledger id.');
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
