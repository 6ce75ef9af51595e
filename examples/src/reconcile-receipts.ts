import { readFile } from 'node:fs/promises';
import type { Receipt } from '@trust-directory/sdk';
import type { Example } from './example.ts';

/**
 * Compares your receipts with a statement: a file (first argument) of lines `ledger_id,amount`, with or without a
 * heading. Rejects if they differ.
 */
export const reconcileReceipts: Example = async (client, print, path = 'statement.csv') => {
  const statement = readStatement(await readFile(path, 'utf8'));
  const receipts: Receipt[] = [];
  for await (const receipt of client.receipts.list({ state: 'settled', limit: 100 })) receipts.push(receipt);

  const differences = compare(statement, receipts);
  for (const difference of differences) print(difference);
  if (differences.length > 0) throw new Error(`${differences.length} differences.`);
  print(`${receipts.length} receipts agree with the statement.`);
};

/** Reads the amounts of a statement by receipt. */
export function readStatement(text: string): Map<string, number> {
  const rows = text.split(/\r?\n/).map((line) => line.split(',').map((cell) => cell.trim()));
  const amounts = rows.filter(([id, amount]) => id && Number.isFinite(Number(amount || Number.NaN)));
  return new Map(amounts.map(([id = '', amount]) => [id, Number(amount)]));
}

/** Returns a sentence for each receipt that is missing on one side or has another amount. */
export function compare(statement: ReadonlyMap<string, number>, receipts: readonly Receipt[]): string[] {
  const known = new Set(receipts.map(({ ledger_id }) => ledger_id));
  const ours = receipts.flatMap(({ ledger_id: id, amount, unit, operation }) => {
    const stated = statement.get(id);
    if (stated === undefined) return [`${id} (${operation}) is not on the statement.`];
    return stated === amount ? [] : [`${id}: the statement says ${stated}, the receipt ${amount} ${unit}.`];
  });
  const theirs = [...statement.keys()].filter((id) => !known.has(id));
  return [...ours, ...theirs.map((id) => `${id} is on the statement, but you have no such receipt.`)];
}
