import type { ImportedRow } from '../registry/listings/listing-row.ts';
import { fieldsOf, invalid, type Parsed, type RefusedRow, trimmed } from './row-kinds.ts';

/** Reads a listing row that its schema has accepted; absent fields are null, further ones are kept in `imported`. */
export function parseListing(imported: ImportedRow): Parsed<'listing'> | RefusedRow {
  const field = fieldsOf(imported);
  const host = field<string>('host').toLowerCase();
  const repository = field<string>('repository');
  const stated = field<string | null>('repoUrl');
  // Nobody is led elsewhere under a repository's name.
  if (stated !== null && new URL(stated).hostname.replace(/^www\./, '') !== host) {
    return invalid('listing', 'repoUrl: is not on the host');
  }
  const statedId = field<string | number | null>('githubRepoId');
  const hostRepositoryId = statedId === null ? null : String(statedId);
  const keys = [`listing ${host}/${repository.toLowerCase()}`];
  if (hostRepositoryId !== null) keys.push(`repository id ${host} ${hostRepositoryId}`);
  const row: Parsed<'listing'>['row'] = {
    host,
    repository,
    type: field('type'),
    kind: field('kind'),
    name: field('name'),
    description: field<string | null>('description') ?? '',
    category: field('category'),
    tags: field<string[] | null>('tags') ?? [],
    repositoryUrl: stated ?? `https://${host}/${repository}`,
    hostRepositoryId,
    homepage: field('homepage'),
    license: field('license'),
    stars: field('stars'),
    forks: field('forks'),
    openIssues: field('openIssues'),
    lastCommitAt: field('lastCommit'),
    repositoryCreatedAt: field('createdAt'),
    metricsObservedAt: field('metricsAsOf'),
    npmPackage: trimmed(field('npmPackage')),
    npmMonthlyDownloads: field('npmMonthlyDownloads'),
    pypiPackage: trimmed(field('pypiPackage')),
    formerRepositories: field<string[] | null>('formerRepositories') ?? [],
    parentRepository: field('parentRepository'),
    parentRelation: field('parentRelation'),
    probablyRenamedTo: field('probablyRenamedTo'),
    source: field<[string]>('sources')[0],
    imported,
  };
  return { kind: 'listing', row, keys };
}
