import type { ArtifactRow } from '../registry/artifacts/save-artifacts.ts';
import type { ImportedRow } from '../registry/listings/listing-row.ts';
import { FieldReader } from './field-reader.ts';
import { KIND_LENGTH, NAME_LENGTH, type Parsed, packageName, readSource } from './parsed-row.ts';

/** Reads an artifact row as the data format has it. Kind `agent` is of type agent, every other a skill. */
export function parseArtifact(imported: ImportedRow): Parsed<ArtifactRow> {
  const read = new FieldReader(imported);
  const kind = read.text('kind', KIND_LENGTH);
  const row: ArtifactRow = {
    repository: read.repository('repository'),
    type: kind === 'agent' ? 'agent' : 'skill',
    kind,
    name: read.name('name', NAME_LENGTH),
    path: read.optionalText('path'),
    description: read.optionalText('description') ?? '',
    license: read.optionalText('license'),
    npmPackage: packageName(read, 'npmPackage'),
    pypiPackage: packageName(read, 'pypiPackage'),
    source: readSource(read),
    imported,
  };
  read.count('artifactsInRepository');
  return read.reason === null ? { row } : { reason: read.reason };
}
