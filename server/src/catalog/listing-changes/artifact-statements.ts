import type { ImportedRow, ListedType } from '../listings/listing-row.ts';
import { pathAlias } from '../subjects/stored-aliases.ts';

/** A skill, plugin, agent or server inside a listed repository, as a source states it. */
export interface ArtifactRow {
  repository: string;
  type: ListedType;
  kind: string;
  name: string;
  path: string | null;
  description: string;
  license: string | null;
  npmPackage: string | null;
  pypiPackage: string | null;
  source: string;
  imported: ImportedRow;
}

/** Maps an imported row to its columns. Kind `agent` is of type agent, all others are of type skill. */
export function artifactRowOf(imported: ImportedRow): ArtifactRow {
  const text = (field: string) => (typeof imported[field] === 'string' ? (imported[field] as string) : null);
  const [source = ''] = sourcesOf(imported);
  return {
    repository: text('repository') ?? '',
    type: text('kind') === 'agent' ? 'agent' : 'skill',
    kind: text('kind') ?? '',
    name: text('name') ?? '',
    path: text('path'),
    description: text('description') ?? '',
    license: text('license'),
    npmPackage: text('npmPackage')?.trim() || null,
    pypiPackage: text('pypiPackage')?.trim() || null,
    source,
    imported,
  };
}

/**
 * Returns a key that groups the statements about one artifact of a listing. Statements with the same type and path, in
 * any spelling, have the same key. Statements without a path are grouped by type and name.
 */
export function artifactKeyOf({ type, name, path }: Pick<ArtifactRow, 'type' | 'name' | 'path'>): string {
  const below = path === null ? '' : pathAlias(path);
  return below === '' ? `${type} # ${name}` : `${type} // ${below}`;
}

/** Statements about one artifact: the columns to store, and the statements that give it other names. */
export interface CombinedStatements {
  shown: ArtifactRow;
  others: ArtifactRow[];
}

/**
 * Combines the statements about one artifact; there must be at least one. The statement whose name fits best (`byFit`)
 * supplies the name. If it lacks a description, a licence or a package, the next best statement that has one supplies
 * it. The result does not depend on the order of the statements.
 */
export function combineStatements(statements: readonly ArtifactRow[]): CombinedStatements {
  const ranked = statements.map((row) => ({ row, fit: fitOf(row) })).sort(byFit);
  const rows = ranked.map(({ row }) => row);
  const [first, ...others] = rows;
  if (!first) throw new Error('an artifact without a statement');
  const stated = <Field extends 'license' | 'npmPackage' | 'pypiPackage'>(field: Field) =>
    rows.find((row) => row[field] !== null)?.[field] ?? null;
  const shown = {
    ...first,
    description: rows.find(({ description }) => description !== '')?.description ?? '',
    license: stated('license'),
    npmPackage: stated('npmPackage'),
    pypiPackage: stated('pypiPackage'),
  };
  return { shown, others };
}

interface Fit {
  /** False for a name that is an address, such as `owner/repository`. */
  isPlain: boolean;
  /** Number of words of the name that occur in the path. */
  ofPath: number;
  sources: number;
  /** Number of words of the name that occur in the repository's name. */
  ofRepository: number;
}

/** Sorts plain names first, then names with more words of the path, more sources, and more words of the repository. */
function byFit(a: { row: ArtifactRow; fit: Fit }, b: { row: ArtifactRow; fit: Fit }): number {
  const byName = a.row.name < b.row.name ? -1 : 1;
  return (
    Number(b.fit.isPlain) - Number(a.fit.isPlain) ||
    b.fit.ofPath - a.fit.ofPath ||
    b.fit.sources - a.fit.sources ||
    b.fit.ofRepository - a.fit.ofRepository ||
    byName
  );
}

function fitOf({ name, path, repository, imported }: ArtifactRow): Fit {
  const own = [...wordsOf(name)];
  const shared = (text: string) => own.filter((word) => wordsOf(text).has(word)).length;
  return {
    isPlain: !/[/#]/.test(name),
    ofPath: shared(path ?? ''),
    sources: sourcesOf(imported).length,
    ofRepository: shared(repository),
  };
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

function sourcesOf({ sources }: ImportedRow): string[] {
  return Array.isArray(sources) ? sources.filter((source) => typeof source === 'string') : [];
}
