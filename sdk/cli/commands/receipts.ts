import type { Receipt, ReceiptPage, ReceiptQuery } from '../../src/index.ts';
import { OPERATIONS, RECEIPT_STATES } from '../allowed-values.ts';
import { collectPages, LIST_OPTIONS } from '../collect-pages.ts';
import type { Command, Invocation } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { timeText } from '../format-score.ts';
import { textOption } from '../read-command-line.ts';
import type { Style } from '../text/colors.ts';
import { fieldLines, flow, type Page, paragraph } from '../text/layout.ts';
import { optional } from './lookup.ts';

const STYLE_OF_STATE: ReadonlyMap<string, Style> = new Map([
  ['settled', 'green'],
  ['reserved', 'yellow'],
  ['failed', 'red'],
]);

/** Shows receipts of the account's calls. Needs a key with any scope. */
export const receipts: Command = {
  name: 'receipts',
  argument: '[ledger id]',
  argumentCount: [0, 1],
  summary: 'List your receipts, newest first; or show one. Needs a key.',
  options: {
    state: { value: 'STATE', words: RECEIPT_STATES, description: 'only receipts in this state' },
    operation: { value: 'OPERATION', words: OPERATIONS, description: 'only this operation' },
    ...LIST_OPTIONS,
  },
  examples: [
    ['trust-directory receipts --state settled --limit 5', 'The last five charges'],
    ['trust-directory receipts 01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47', 'One receipt'],
    ["trust-directory receipts --limit 1000 --json | jq '[.data[].charged] | add'", 'For a script'],
  ],
  run: (invocation) => (invocation.words[0] === undefined ? list(invocation) : one(invocation)),
};

async function one({ words: [id = ''], output, signal, clientWithKey }: Invocation) {
  const client = await clientWithKey();
  output.result(await client.receipts.get(id, { signal }), receiptLines);
  return EXIT.ok;
}

async function list({ options, output, signal, clientWithKey }: Invocation) {
  const client = await clientWithKey();
  const query = {
    state: textOption(options, 'state'),
    operation: textOption(options, 'operation'),
  } as ReceiptQuery;
  const found = await collectPages(
    (page) => client.receipts.list({ ...query, ...page }, { signal }),
    options,
  );
  output.result(found, pageLines);
  return EXIT.ok;
}

function pageLines({ data, nextCursor }: ReceiptPage, page: Page): string[] {
  if (data.length === 0) return paragraph('No receipts.', page, 'dim');
  const more = nextCursor ? ' There are more: --limit.' : '';
  return [
    ...data.flatMap((receipt) => [
      ...flow([[receipt.ledger_id, 'cyan'], styled(receipt.state)], page),
      ...flow([[receipt.operation], [amountText(receipt)], [timeText(receipt.created_at)]], page, 2),
      ...(receipt.subject ? flow([[receipt.subject.name]], page, 2) : []),
    ]),
    ...paragraph(`${data.length} shown.${more}`, page, 'dim'),
  ];
}

function receiptLines(receipt: Receipt, page: Page): string[] {
  const { subject } = receipt;
  return [
    ...paragraph(receipt.ledger_id, page, 'bold'),
    ...fieldLines(
      [
        ['state', ...styled(receipt.state)],
        ['operation', receipt.operation],
        ...optional('subject', subject && `${subject.name} (${subject.public_path})`),
        ['charged', amountText(receipt)],
        ['price', `${receipt.price_credits} credits`],
        ['attempt', String(receipt.attempt)],
        ...optional('failure', receipt.failure),
        ['begun', timeText(receipt.created_at)],
        ...optional('ended', receipt.ended_at && timeText(receipt.ended_at)),
        ['idempotency key', receipt.idempotency_key],
      ],
      page,
    ),
  ];
}

/** Formats the charge. A failed call is not charged, and a running call is not charged yet. */
function amountText({ state, amount, unit, charge_source: source }: Receipt): string {
  if (state === 'failed') return 'nothing';
  const held = `${amount} ${unit}${amount === 1 ? '' : 's'}, ${source}`;
  return state === 'settled' ? held : `nothing yet (${held} held)`;
}

function styled(state: string): readonly [string, Style?] {
  const style = STYLE_OF_STATE.get(state);
  return style ? [state, style] : [state];
}
