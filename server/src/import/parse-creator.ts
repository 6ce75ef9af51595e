import type { ImportedRow } from '../registry/listings/listing-row.ts';
import { fieldsOf, invalid, type Parsed, type RefusedRow, seen } from './row-kinds.ts';

/** Reads a creator row that its schema has accepted. Its sums are statements of the source, never computed with. */
export function parseCreator(imported: ImportedRow): Parsed<'creator'> | RefusedRow {
  const field = fieldsOf(imported);
  const host = field<string>('host').toLowerCase();
  const handle = field<string>('handle');
  const handleVariants = field<string[] | null>('handleVariants') ?? [];
  if (!handleVariants.every((variant) => variant.toLowerCase() === handle.toLowerCase())) {
    return invalid('creator', 'handleVariants: may differ from the handle in case only');
  }
  return {
    kind: 'creator',
    row: { host, handle, displayName: seen(field('displayName')), handleVariants, imported },
    keys: [`creator ${host}:${handle.toLowerCase()}`],
  };
}
