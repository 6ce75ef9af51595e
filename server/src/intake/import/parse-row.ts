import { artifactRowOf } from '../../catalog/listing-changes/artifact-statements.ts';
import { ownDescription } from '../../catalog/listings/container-repository.ts';
import type { ImportedRow } from '../../catalog/listings/listing-row.ts';
import type { RelationEnd } from '../../catalog/relations/save-relations.ts';
import { parseAccount } from './parse-account.ts';
import { parseAgentCard, parsePackument, parseProject, parseSkillsIndex } from './parse-host-row.ts';
import { parseServer } from './parse-server.ts';
import {
  cleanDisplayName,
  describeViolations,
  fieldsOf,
  type Parsed,
  type ParsedRow,
  type RejectedRow,
  type RowKind,
  rejectRow,
  trimToNull,
} from './validate-row.ts';

// Maximum bytes of a relation's type, ends and source, which form one index entry. PostgreSQL allows 2,704 bytes for
// it.
const MAX_RELATION_BYTES = 2_600;

/** Parses a relation row that its schema has accepted; an end is `owner/name` or `owner/name#path`. */
export function parseRelation(imported: ImportedRow): Parsed<'relation'> | RejectedRow {
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
  if (ends[0]?.[0] === ends[1]?.[0]) return rejectRow('relation', 'both ends are in one repository');
  const bytes = Buffer.byteLength(`${row.type}${imported.from}${imported.to}${row.source}`);
  if (bytes > MAX_RELATION_BYTES) {
    return rejectRow(
      'relation',
      `type, from, to and source are longer than ${MAX_RELATION_BYTES} bytes together`,
    );
  }
  return { kind: 'relation', row, keys: [`relation ${JSON.stringify([row.type, ...ends, row.source])}`] };
}

function endOf(text: string): RelationEnd {
  const [repository = '', ...path] = text.split('#');
  return { repository, path: path.length === 0 ? null : path.join('#') };
}

const CONTROL = /\p{Cc}/u;

// Real rows have three levels. The limit keeps hostile input from exhausting the stack, here and in PostgreSQL.
const MAX_DEPTH = 16;

/**
 * Returns why a parsed JSON value cannot be stored, or null if it can. Not storable: control characters, lone
 * surrogates, numbers that JSON cannot represent, excessive nesting. Names of members are checked like values.
 */
function findUnstorable(value: unknown, place = 'row', depth = 0): string | null {
  if (typeof value === 'string') return unstorableText(value, place);
  if (typeof value === 'number') return Number.isFinite(value) ? null : `${place}: number out of range`;
  if (typeof value !== 'object' || value === null) return null;
  if (depth === MAX_DEPTH) return `nested deeper than ${MAX_DEPTH} levels`;
  for (const [key, item] of Object.entries(value)) {
    const inside = Array.isArray(value) || depth > 0 ? place : key;
    const reason = unstorableText(key, 'a field name') ?? findUnstorable(item, inside, depth + 1);
    if (reason !== null) return reason;
  }
  return null;
}

function unstorableText(text: string, place: string): string | null {
  if (!text.isWellFormed()) return `${place}: not well-formed Unicode`;
  return CONTROL.test(text) ? `${place}: contains a control character` : null;
}

const PARSERS: Record<RowKind, (row: ImportedRow) => ParsedRow | RejectedRow> = {
  listing: parseListing,
  creator: parseCreator,
  account: parseAccount,
  artifact: parseArtifact,
  relation: parseRelation,
  server: parseServer,
  packument: parsePackument,
  project: parseProject,
  scorecard: parseScorecardRow,
  agent_card: parseAgentCard,
  skills_index: parseSkillsIndex,
};

/**
 * Converts a result of OpenSSF Scorecard, whose repository is `host/owner/name`. The checks in the result are not
 * stored.
 */
export function parseScorecardRow(imported: ImportedRow): Parsed<'scorecard'> | RejectedRow {
  const reason = describeViolations('scorecard', imported);
  if (reason !== null) return rejectRow('scorecard', reason);
  const { repo, score, date } = imported as unknown as {
    repo: { name: string };
    score: number;
    date?: string | null;
  };
  const [host = '', ...name] = repo.name.split('/');
  const row = {
    host: host.toLowerCase(),
    repository: name.join('/'),
    score,
    ranAt: date ? new Date(date).toISOString() : null,
  };
  return { kind: 'scorecard', row, keys: [] };
}

/** Kinds of rows of which only some fields are stored, such as answers of registries. */
const PARTLY_STORED: ReadonlySet<RowKind> = new Set([
  'server',
  'packument',
  'project',
  'scorecard',
  'agent_card',
  'skills_index',
]);

/** Parses one line. Its fields determine the kind, whose schema they must match. Never throws. */
export function parseRow(line: string): ParsedRow | RejectedRow {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { kind: null, code: 'unreadable', reason: 'not valid JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { kind: null, code: 'unreadable', reason: 'not a JSON object' };
  }
  const row = value as ImportedRow;
  const kind = kindOf(row);
  if (kind === null) return { kind, code: 'unknown_kind', reason: 'unknown kind of row' };
  // Only a part of such a line is stored, so its parser checks that part.
  if (PARTLY_STORED.has(kind)) return PARSERS[kind](row);
  const reason = findUnstorable(row) ?? describeViolations(kind, row);
  return reason === null ? PARSERS[kind](row) : rejectRow(kind, reason);
}

/**
 * Parses a line that the scan has accepted with `parseRow`, without the checks that `parseRow` makes before it calls
 * the parser. Returns null if the line cannot be parsed any more, because it has changed since the scan.
 */
export function parseAccepted(line: string): ParsedRow | null {
  try {
    const row = JSON.parse(line) as ImportedRow;
    const kind = kindOf(row);
    const parsed = kind === null ? null : PARSERS[kind](row);
    return parsed === null || 'reason' in parsed ? null : parsed;
  } catch {
    return null;
  }
}

/**
 * Determines the kind of a row by its fields; null if none fits.
 * - `from` and `to`: a relation.
 * - `repository` with `category`, `repoUrl` or `type`: a listing.
 * - `repository` with `name` and `kind`: an artifact.
 * - `handle` with `platform`: an account.
 * - `handle` with `host`: a creator.
 * - `server` with `_meta`, or `servers`: entries of the MCP registry.
 * - `versions` with `dist-tags`: a packument of npm.
 * - `info` with `urls`: a project of PyPI.
 * - `score` with `repo` and `checks`: a result of OpenSSF Scorecard.
 * - `supportedInterfaces`: an agent card of A2A.
 * - `$schema` with `skills`: an index of skills.
 */
function kindOf(row: ImportedRow): RowKind | null {
  const has = (field: string) => Object.hasOwn(row, field);
  if (has('from') && has('to')) return 'relation';
  if ((has('server') && has('_meta')) || has('servers')) return 'server';
  if (has('versions') && has('dist-tags')) return 'packument';
  if (has('info') && has('urls')) return 'project';
  if (has('score') && has('repo') && has('checks')) return 'scorecard';
  if (has('supportedInterfaces')) return 'agent_card';
  if (has('$schema') && has('skills')) return 'skills_index';
  if (has('repository')) {
    if (has('category') || has('repoUrl') || has('type')) return 'listing';
    return has('name') && has('kind') ? 'artifact' : null;
  }
  if (!has('handle')) return null;
  if (has('platform')) return 'account';
  return has('host') ? 'creator' : null;
}

/**
 * Parses a creator row that its schema has accepted. The totals in the row are not used; they remain in `imported`, as
 * the source states them.
 */
export function parseCreator(imported: ImportedRow): Parsed<'creator'> | RejectedRow {
  const field = fieldsOf(imported);
  const host = field<string>('host').toLowerCase();
  const handle = field<string>('handle');
  const handleVariants = field<string[] | null>('handleVariants') ?? [];
  if (!handleVariants.every((variant) => variant.toLowerCase() === handle.toLowerCase())) {
    return rejectRow('creator', 'handleVariants: may differ from the handle in case only');
  }
  return {
    kind: 'creator',
    row: { host, handle, displayName: cleanDisplayName(field('displayName')), handleVariants, imported },
    keys: [`creator ${host}:${handle.toLowerCase()}`],
  };
}

/** Parses an artifact row that its schema has accepted. */
export function parseArtifact(imported: ImportedRow): Parsed<'artifact'> {
  const row = artifactRowOf(imported);
  return { kind: 'artifact', row, keys: [`artifact ${row.repository.toLowerCase()}#${row.name}`] };
}

/**
 * Parses a listing row that its schema has accepted. An absent field is null unless it has a default, such as an empty
 * list of tags. `imported` keeps the whole row, with fields that have no column.
 */
export function parseListing(imported: ImportedRow): Parsed<'listing'> | RejectedRow {
  const field = fieldsOf(imported);
  const host = field<string>('host').toLowerCase();
  const repository = field<string>('repository');
  const stated = field<string | null>('repoUrl');
  // The link of a repository must not lead to another host.
  if (stated !== null && new URL(stated).hostname.replace(/^www\./, '') !== host) {
    return rejectRow('listing', 'repoUrl: is not on the host');
  }
  const statedId = field<string | number | null>('githubRepoId');
  const hostRepositoryId = statedId === null ? null : String(statedId);
  const keys = [`listing ${host}/${repository.toLowerCase()}`];
  if (hostRepositoryId !== null) keys.push(`repository id ${host} ${hostRepositoryId}`);
  const description = field<string | null>('description') ?? '';
  const parts = field<number | null>('artifactCount') ?? 0;
  const row: Parsed<'listing'>['row'] = {
    host,
    repository,
    type: field('type'),
    kind: field('kind'),
    name: field('name'),
    description: ownDescription({ repository, kind: field('kind'), description, parts }),
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
    npmPackage: trimToNull(field('npmPackage')),
    npmMonthlyDownloads: field('npmMonthlyDownloads'),
    pypiPackage: trimToNull(field('pypiPackage')),
    formerRepositories: field<string[] | null>('formerRepositories') ?? [],
    parentRepository: field('parentRepository'),
    parentRelation: field('parentRelation'),
    probablyRenamedTo: field('probablyRenamedTo'),
    source: field<[string]>('sources')[0],
    imported,
  };
  return { kind: 'listing', row, keys };
}
