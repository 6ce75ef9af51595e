import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Connection } from '../../src/platform/database/connect.ts';
import { type ListingInput, makeCreator, makeListing } from '../subjects/registry.factory.ts';

/** A listing of the sample. */
interface SampleRow {
  repository: string;
  type: 'agent' | 'skill';
  name: string;
  description: string | null;
  tags: string[];
  category: string;
  stars: number | null;
}

/** Listings of the sample, without their artifacts. */
export const SAMPLE = readRows<SampleRow>('../../sample/listings.ndjson').map(({ description, ...row }) => ({
  ...row,
  description: description ?? '',
}));

/** Reads a file with one JSON object per line; the path is relative to this folder. */
export function readRows<Row>(path: string): Row[] {
  const text = readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
}

/** Makes listings, and one creator for each owner of their repositories. */
export async function makeListings(
  connection: Connection,
  rows: readonly (ListingInput & { repository: string })[],
): Promise<void> {
  const makers = new Map<string, Awaited<ReturnType<typeof makeCreator>>>();
  for (const row of rows) {
    const handle = row.repository.split('/')[0] ?? '';
    const key = handle.toLowerCase();
    const creator = makers.get(key) ?? (await makeCreator(connection, { handle }));
    makers.set(key, creator);
    await makeListing(connection, { ...row, creator });
  }
}
