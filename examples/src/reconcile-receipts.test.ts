import type { Receipt } from '@trust-directory/sdk';
import { describe, expect, it } from 'vitest';
import { compare, readStatement } from './reconcile-receipts.ts';

const receipt = (ledger_id: string, amount: number) =>
  ({ ledger_id, amount, unit: 'credit', operation: 'agent_score' }) as Receipt;

describe('reconcile-receipts', () => {
  it('reads a statement with a heading, blanks and either kind of line end', () => {
    const statement = readStatement('ledger_id,amount\r\na1, 10\r\n\r\nb2,8\nc3,\n');

    expect([...statement]).toEqual([
      ['a1', 10],
      ['b2', 8],
    ]);
  });

  it('tells what is missing on either side, and what differs', () => {
    const statement = new Map([
      ['same', 10],
      ['differs', 8],
      ['theirs', 5],
    ]);

    expect(compare(statement, [receipt('same', 10), receipt('differs', 10), receipt('ours', 20)])).toEqual([
      'differs: the statement says 8, the receipt 10 credit.',
      'ours (agent_score) is not on the statement.',
      'theirs is on the statement, but you have no such receipt.',
    ]);
  });
});
