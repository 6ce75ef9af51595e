import type { ImportedRow } from '../registry/listings/listing-row.ts';
import type { RelationEnd, RelationRow } from '../registry/relations/save-relations.ts';
import { isRepositoryName } from '../registry/repository-name.ts';
import { FieldReader } from './field-reader.ts';
import { KIND_LENGTH, type Parsed, readOneSource } from './parsed-row.ts';

// Both ends stand in one index entry, which holds at most 2,704 bytes.
const END_BYTES = 1024;

/** Reads a relation row as the data format has it; an end is `owner/name` or `owner/name#path`. */
export function parseRelation(imported: ImportedRow): Parsed<RelationRow> {
  const read = new FieldReader(imported);
  const row: RelationRow = {
    type: read.text('type', KIND_LENGTH),
    from: readEnd(read, 'from'),
    to: readEnd(read, 'to'),
    directed: read.boolean('directed'),
    stated: read.boolean('stated'),
    resolution: read.optionalText('resolution'),
    evidence: read.optionalText('evidence'),
    source: readOneSource(read),
    imported,
  };
  if (read.reason !== null) return { reason: read.reason };
  if (row.from.repository.toLowerCase() === row.to.repository.toLowerCase()) {
    return { reason: 'both ends are in one repository' };
  }
  return { row };
}

function readEnd(read: FieldReader, field: string): RelationEnd {
  const text = read.text(field, END_BYTES);
  const split = text.indexOf('#');
  const repository = split < 0 ? text : text.slice(0, split);
  const path = split < 0 ? null : text.slice(split + 1);
  if (Buffer.byteLength(text) > END_BYTES) read.problem(field, `longer than ${END_BYTES} bytes`);
  if (text !== '' && (path === '' || !isRepositoryName(repository))) {
    read.problem(field, 'must be owner/name or owner/name#path');
  }
  return { repository, path };
}
