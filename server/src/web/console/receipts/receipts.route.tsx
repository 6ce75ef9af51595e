import { type KeyRecord, requireKey } from '../../../access/keys/key-fields.ts';
import { selectableKeys } from '../../../access/keys/list-keys.ts';
import {
  listReceipts,
  lookUpReceipt,
  type ReceiptPage,
  readBoughtScore,
  readReceipt,
} from '../../../billing/receipts/read-receipts.ts';
import { presentReceipt } from '../../../billing/receipts/receipts.handlers.ts';
import { searchReceipts } from '../../../billing/receipts/search-receipts.ts';
import { DomainError } from '../../../platform/errors/domain-error.ts';
import type { ConsoleResponse, Page } from '../frame/console-document.tsx';
import {
  type ConsoleDependencies,
  type ConsoleRouter,
  pathParameter,
  type Visit,
} from '../frame/console-router.ts';
import { ReceiptView } from './receipt.page.tsx';
import { LIST, parseReceiptFilter, type ReceiptFilter, ReceiptList, UUID } from './receipt-list.page.tsx';

const PAGE_SIZE = 25;

/** Registers the pages of the account's receipts. */
export function registerReceiptPages(router: ConsoleRouter, parts: ConsoleDependencies): void {
  router.get(LIST, (visit) => showReceipts(parts, visit));
  router.get(`${LIST}/:ledgerId`, (visit) => showReceipt(parts, visit));
}

async function showReceipts(parts: ConsoleDependencies, visit: Visit): Promise<ConsoleResponse> {
  const { database } = parts;
  const { query, accountId } = visit;
  const filter = parseReceiptFilter(query);
  const named = filter.text === null ? null : await findReceiptById(parts, visit, filter.text);
  if (named !== null) return { redirectTo: `${LIST}/${named}` };
  const keys = await selectableKeys(database, accountId, filter.keyId);
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

/** Returns the ledger id of the account's receipt whose id is the search text; null if there is none. */
async function findReceiptById(
  { database }: ConsoleDependencies,
  visit: Visit,
  text: string,
): Promise<string | null> {
  if (!UUID.test(text)) return null;
  const { runs } = await lookUpReceipt(database, visit.credential, text);
  return runs[0]?.ledger_id ?? null;
}

/** Loads one page of the receipts that match the filter. */
async function findReceipts(
  { database, publicUrls }: ConsoleDependencies,
  { credential, query }: Visit,
  { day, ...filter }: ReceiptFilter,
  keys: readonly KeyRecord[],
): Promise<ReceiptPage> {
  const { text } = filter;
  const keyIds = text === null ? [] : keys.filter((key) => isNamed(key, text)).map(({ id }) => id);
  const search = { ...filter, keyIds, from: day, to: day, cursor: query.get('cursor'), limit: PAGE_SIZE };
  const found = await searchReceipts(database, publicUrls, credential, search);
  return listReceipts(database, publicUrls, found, PAGE_SIZE);
}

function isNamed({ name, last_four }: KeyRecord, text: string): boolean {
  return name.toLowerCase().includes(text.toLowerCase()) || text.replace(/^…/, '') === last_four;
}

async function showReceipt({ database, publicUrls }: ConsoleDependencies, visit: Visit): Promise<Page> {
  const ledgerId = pathParameter(visit, 'ledgerId');
  if (!UUID.test(ledgerId))
    throw new DomainError('not_found', 'The address of a receipt must end with its ledger id.');
  const found = await lookUpReceipt(database, visit.credential, ledgerId);
  const receipt = await readReceipt(database, publicUrls, found, ledgerId);
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
