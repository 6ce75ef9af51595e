import type { ArtifactRow } from '../registry/artifacts/save-artifacts.ts';
import type { CreatorRow } from '../registry/creators/save-creators.ts';
import type { ImportedRow, ListingRow, Rejection } from '../registry/listings/listing-row.ts';
import type { AccountRow } from '../registry/platform-accounts/account-row.ts';
import type { RelationRow } from '../registry/relations/save-relations.ts';
import { isVisible } from '../subjects/shown-name.ts';

/** The kinds of row, in the order in which they are applied. */
export const ROW_KINDS = ['listing', 'creator', 'account', 'artifact', 'relation'] as const;
/** One of the kinds of row. */
export type RowKind = (typeof ROW_KINDS)[number];

interface RowOf {
  listing: ListingRow;
  creator: CreatorRow;
  account: AccountRow;
  artifact: ArtifactRow;
  relation: RelationRow;
}

/** A row that can be stored. `keys` are what it is about: no two lines of an import may be about the same. */
export type Parsed<Kind extends RowKind> = {
  readonly kind: Kind;
  readonly row: RowOf[Kind];
  readonly keys: readonly string[];
};
/** A row of any kind that can be stored. */
export type ParsedRow = { [Kind in RowKind]: Parsed<Kind> }[RowKind];

/** A line that can't be stored; `kind` is null where not even that is known. */
export interface RefusedRow extends Rejection {
  readonly kind: RowKind | null;
}

/** Refuses a row for what is in its fields. */
export function invalid(kind: RowKind, reason: string): RefusedRow {
  return { kind, code: 'invalid', reason };
}

/** Gives the fields of a row that its schema has accepted, of the types that it says; null for one that is left out. */
export function fieldsOf(row: ImportedRow): <Value>(name: string) => Value {
  return <Value>(name: string) => (row[name] ?? null) as Value;
}

/** A text without the blanks around it; null where nothing is left. */
export function trimmed(text: string | null): string | null {
  return text?.trim() || null;
}

/** A display name without the blanks around it; null where nothing of it is seen. */
export function seen(name: string | null): string | null {
  return name !== null && isVisible(name) ? name.trim() : null;
}
