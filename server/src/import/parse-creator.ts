import type { CreatorRow } from '../registry/creators/save-creators.ts';
import type { ImportedRow } from '../registry/listings/listing-row.ts';
import { isOwnerName } from '../registry/repository-name.ts';
import { FieldReader } from './field-reader.ts';
import { NAME_LENGTH, type Parsed } from './parsed-row.ts';

/** Reads a creator row as the data format has it. Its sums are statements of the source: kept, never computed with. */
export function parseCreator(imported: ImportedRow): Parsed<CreatorRow> {
  const read = new FieldReader(imported);
  const handle = read.text('handle', 101);
  if (handle !== '' && !isOwnerName(handle)) read.problem('handle', 'must be an account name');
  const row: CreatorRow = {
    host: read.host('host'),
    handle,
    displayName: read.optionalName('displayName', NAME_LENGTH),
    handleVariants: read.texts('handleVariants'),
    imported,
  };
  if (!row.handleVariants.every((variant) => variant.toLowerCase() === handle.toLowerCase())) {
    read.problem('handleVariants', 'may differ from the handle in case only');
  }
  // Read by the scores' facts out of the row as it is stored.
  read.moment('accountCreatedAt');
  for (const field of COUNTS) read.count(field);
  for (const field of FLAGS) read.optionalBoolean(field);
  for (const field of LISTS) read.texts(field);
  return read.reason === null ? { row } : { reason: read.reason };
}

const COUNTS = [
  'listingsCount',
  'agentsCount',
  'skillsCount',
  'starsSum',
  'starsKnownFor',
  'npmPackagesCount',
  'pypiPackagesCount',
];
const FLAGS = ['npmScopeEqualsHandle', 'mcpRegistryGithubNamespace'];
const LISTS = ['displayNameCandidates', 'mcpRegistryNamespaces', 'displayNameSources'];
