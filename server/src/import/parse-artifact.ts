import type { ImportedRow } from '../registry/listings/listing-row.ts';
import { fieldsOf, type Parsed, trimmed } from './row-kinds.ts';

/** Reads an artifact row that its schema has accepted. Kind `agent` is of type agent, every other a skill. */
export function parseArtifact(imported: ImportedRow): Parsed<'artifact'> {
  const field = fieldsOf(imported);
  const row: Parsed<'artifact'>['row'] = {
    repository: field('repository'),
    type: imported.kind === 'agent' ? 'agent' : 'skill',
    kind: field('kind'),
    name: field('name'),
    path: field('path'),
    description: field<string | null>('description') ?? '',
    license: field('license'),
    npmPackage: trimmed(field('npmPackage')),
    pypiPackage: trimmed(field('pypiPackage')),
    source: field<[string]>('sources')[0],
    imported,
  };
  return { kind: 'artifact', row, keys: [`artifact ${row.repository.toLowerCase()}#${row.name}`] };
}
