import type { ImportedRow } from '../registry/listings/listing-row.ts';
import type { RelationEnd } from '../registry/relations/save-relations.ts';
import { fieldsOf, invalid, type Parsed, type RefusedRow } from './row-kinds.ts';

// Type, ends and source stand in one index entry, which holds at most 2,704 bytes.
const STATEMENT_BYTES = 2_600;

/** Reads a relation row that its schema has accepted; an end is `owner/name` or `owner/name#path`. */
export function parseRelation(imported: ImportedRow): Parsed<'relation'> | RefusedRow {
  const field = fieldsOf(imported);
  const row: Parsed<'relation'>['row'] = {
    type: field('type'),
    from: endOf(field('from')),
    to: endOf(field('to')),
    directed: field('directed'),
    stated: field('stated'),
    resolution: field('resolution'),
    evidence: field('evidence'),
    source: field('source'),
    imported,
  };
  const ends = [row.from, row.to].map(({ repository, path }) => [repository.toLowerCase(), path] as const);
  if (ends[0]?.[0] === ends[1]?.[0]) return invalid('relation', 'both ends are in one repository');
  const bytes = Buffer.byteLength(`${row.type}${imported.from}${imported.to}${row.source}`);
  if (bytes > STATEMENT_BYTES) {
    return invalid('relation', `type, from, to and source are longer than ${STATEMENT_BYTES} bytes together`);
  }
  return { kind: 'relation', row, keys: [`relation ${JSON.stringify([row.type, ...ends, row.source])}`] };
}

function endOf(text: string): RelationEnd {
  const [repository = '', ...path] = text.split('#');
  return { repository, path: path.length === 0 ? null : path.join('#') };
}
