import { objectOf, textOf } from './json-source.ts';
import type { LookUp, LookupAnswer, LookupResult } from './look-up-items.ts';
import { isAffected } from './unaffected-version.ts';

const FORMAT = 'trust-directory-snapshot';

/** Error for a file that is not a valid snapshot, and for a look-up that a partial snapshot can't answer. */
export class SnapshotError extends Error {}

/** Answers of the directory, stored at one point in time for offline use. */
export interface Snapshot {
  readonly exportedAt: string;
  /** True if it has the whole directory, so that a missing name is unknown to the directory. */
  readonly isWhole: boolean;
  /** Answers by normalized subject name. */
  readonly answers: ReadonlyMap<string, LookupAnswer>;
}

/** An answer, with further names by which it can be looked up. */
export type NamedAnswer = LookupAnswer & { readonly names?: readonly string[] };

/** Serializes a snapshot: one line of JSON with its format and time, then one line for each answer. */
export function writeSnapshot(answers: Iterable<NamedAnswer>, now: Date, isWhole = false): string {
  const head = {
    format: FORMAT,
    version: 1,
    exported_at: now.toISOString(),
    ...(isWhole && { whole: true }),
  };
  return [head, ...answers].map((each) => `${JSON.stringify(each)}\n`).join('');
}

/** Parses a snapshot. Throws a SnapshotError for a text that is none, or of another format version. */
export function parseSnapshot(text: string): Snapshot {
  const [first = '', ...rest] = text.split('\n');
  const { format, version, exported_at: exportedAt, whole } = objectOf(parseLine(first, 1));
  if (format !== FORMAT || version !== 1)
    throw new SnapshotError('is no snapshot that this version can read.');
  const answers = new Map<string, LookupAnswer>();
  for (const [index, line] of rest.entries()) {
    if (line === '') continue;
    const answer = objectOf(parseLine(line, index + 2)) as unknown as NamedAnswer;
    if (textOf(answer.subject) === undefined || textOf(answer.status) === undefined)
      throw new SnapshotError(`has no answer in line ${index + 2}.`);
    for (const name of [answer.subject, ...(answer.names ?? [])]) answers.set(keyOf(name), answer);
  }
  return { exportedAt: textOf(exportedAt) ?? '', isWhole: whole === true, answers };
}

function parseLine(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new SnapshotError(`is not JSON in line ${number}.`);
  }
}

/**
 * Creates a look-up that reads a snapshot and sends nothing. If the snapshot contains the whole directory, a missing
 * subject is unknown. If the snapshot contains only a part, the look-up of a missing subject fails, because the
 * directory may know it.
 */
export function lookUpOffline(snapshot: Snapshot): LookUp {
  return async (subjects) =>
    new Map(subjects.map((subject): [string, LookupResult] => [subject, answerOf(subject, snapshot)]));
}

function answerOf(subject: string, { answers, isWhole, exportedAt }: Snapshot): LookupResult {
  const answer = answers.get(keyOf(subject));
  if (answer) return { ...answer, subject };
  const [, name, version] = /^((?:npm:(?:@[^/@]+\/)?[^@]+)|pypi:[^=]+)(?:@|==)(.+)$/i.exec(subject) ?? [];
  const ofPackage = name === undefined ? undefined : answers.get(keyOf(name));
  if (ofPackage?.package && version !== undefined) return { ...atVersion(ofPackage, version), subject };
  if (!isWhole) return { subject, failure: new SnapshotError('The snapshot does not have it.') };
  const message = `The directory did not list it when the snapshot was made, at ${exportedAt}.`;
  return {
    subject,
    status: 'not_found',
    record: null,
    package: unknownPackage(subject, name, version),
    message,
  };
}

/** Returns the answer about one version of a package, from the answer about the package. */
function atVersion(answer: LookupAnswer, version: string): LookupAnswer {
  const report = answer.package as NonNullable<LookupAnswer['package']>;
  const affecting = report.advisories.filter((advisory) => isAffected(version, [advisory]) !== false);
  const isKnown = affecting.every((advisory) => isAffected(version, [advisory]));
  const standing = affecting.length > 0 ? (isKnown ? 'affected' : 'unknown') : restOf(report.standing);
  return { ...answer, package: { ...report, version, standing, advisories: affecting } };
}

/** Returns the standing of a version that no known advisory affects, from the standing of its whole package. */
const restOf = (standing: NonNullable<LookupAnswer['package']>['standing']) =>
  standing === 'affected' ? 'not_affected' : standing;

/** Returns the report of a package about which nothing is known; null if the subject is not a package. */
function unknownPackage(subject: string, name = subject, version: string | null = null) {
  if (!/^(npm|pypi):/i.test(subject)) return null;
  return { package: name, version, standing: 'unknown' as const, advisories: [], listing: null, as_of: null };
}

/** Normalizes a name as registries and repository hosts do before they compare names. */
function keyOf(name: string): string {
  const [, project, version = ''] = /^pypi:([^=]+)(==.*)?$/i.exec(name) ?? [];
  if (project !== undefined) return `pypi:${project.toLowerCase().replaceAll(/[-_.]+/g, '-')}${version}`;
  return name.startsWith('npm:') ? name : name.toLowerCase().replace(/^https:\/\/github\.com\//, '');
}
