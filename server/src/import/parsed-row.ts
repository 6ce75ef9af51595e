import type { FieldReader } from './field-reader.ts';

/** A row that can be stored, or why it can't. */
export type Parsed<Row> = { readonly row: Row } | { readonly reason: string };

/** Most characters of a name: it stands in indexes, which take at most 2,704 bytes a row. */
export const NAME_LENGTH = 500;
/** Most characters of a kind or relation type. */
export const KIND_LENGTH = 64;
const SOURCE_LENGTH = 200;
const PACKAGE_LENGTH = 214;

/** A package name, kept as it is stated; null where it is blank. */
export function packageName(read: FieldReader, field: string): string | null {
  return read.optionalText(field, PACKAGE_LENGTH)?.trim() || null;
}

/** The first of a row's sources: whom the registry names for the subject. */
export function readSource(read: FieldReader): string {
  const [first] = read.texts('sources');
  if (first === undefined || first.trim() === '') {
    read.problem('sources', 'must name at least one source');
    return '';
  }
  if (first.length > SOURCE_LENGTH) read.problem('sources', `name longer than ${SOURCE_LENGTH} characters`);
  return first;
}

/** The one source of a row that names a single one. */
export function readOneSource(read: FieldReader): string {
  return read.text('source', SOURCE_LENGTH);
}
