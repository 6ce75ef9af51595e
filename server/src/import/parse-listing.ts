import { CATEGORIES, type ImportedRow, type ListingRow } from '../registry/listings/listing-row.ts';
import { isRepositoryName } from '../registry/repository-name.ts';
import { FieldReader } from './field-reader.ts';
import { KIND_LENGTH, NAME_LENGTH, type Parsed, packageName, readSource } from './parsed-row.ts';

/** Reads a listing row as the data format has it; absent fields are null, further fields are kept in `imported`. */
export function parseListing(imported: ImportedRow): Parsed<ListingRow> {
  const read = new FieldReader(imported);
  const host = read.host('host');
  const repository = read.repository('repository');
  const row: ListingRow = {
    host,
    repository,
    type: read.choice('type', ['agent', 'skill']),
    kind: read.text('kind', KIND_LENGTH),
    name: read.name('name', NAME_LENGTH),
    description: read.optionalText('description') ?? '',
    category: read.choice('category', CATEGORIES),
    tags: read.names('tags'),
    repositoryUrl: repositoryUrl(read, host, repository),
    hostRepositoryId: read.optionalText('githubRepoId', 100),
    homepage: read.link('homepage'),
    license: read.optionalText('license'),
    stars: read.count('stars'),
    forks: read.count('forks'),
    openIssues: read.count('openIssues'),
    lastCommitAt: read.moment('lastCommit'),
    repositoryCreatedAt: read.moment('createdAt'),
    metricsObservedAt: read.moment('metricsAsOf'),
    npmPackage: packageName(read, 'npmPackage'),
    npmMonthlyDownloads: read.count('npmMonthlyDownloads'),
    pypiPackage: packageName(read, 'pypiPackage'),
    formerRepositories: repositoryNames(read, 'formerRepositories'),
    parentRepository: optionalRepository(read, 'parentRepository'),
    parentRelation: read.optionalText('parentRelation', KIND_LENGTH),
    source: readSource(read),
    imported,
  };
  read.moment('githubUpdatedAt');
  return read.reason === null ? { row } : { reason: read.reason };
}

/** The stated address, which must be on the repository's own host: nobody is led elsewhere under its name. */
function repositoryUrl(read: FieldReader, host: string, repository: string): string {
  const stated = read.link('repoUrl');
  if (stated === null) return `https://${host}/${repository}`;
  if (new URL(stated).hostname.replace(/^www\./, '') !== host) read.problem('repoUrl', 'is not on the host');
  return stated;
}

function repositoryNames(read: FieldReader, field: string): string[] {
  const names = read.texts(field);
  if (!names.every(isRepositoryName)) read.problem(field, 'must hold owner/name');
  return names;
}

function optionalRepository(read: FieldReader, field: string): string | null {
  return read.optionalText(field) === null ? null : read.repository(field);
}
