import { objectOf, textOf } from './json-source.ts';
import type { LookUp, LookupAnswer, LookupResult } from './look-up-items.ts';

const FORMAT = 'trust-directory-snapshot';

/** Thrown for a file that is not a valid snapshot. */
export class SnapshotError extends Error {}

/** Answers of the directory, stored at one point in time for offline use. */
export interface Snapshot {
  readonly exportedAt: string;
  /** Answers by normalized subject name. */
  readonly answers: ReadonlyMap<string, LookupAnswer>;
}

/** Serializes a snapshot: one line of JSON with its format and time, then one line for each answer. */
export function writeSnapshot(answers: Iterable<LookupAnswer>, now: Date): string {
  const head = { format: FORMAT, version: 1, exported_at: now.toISOString() };
  return [head, ...answers].map((each) => `${JSON.stringify(each)}\n`).join('');
}

/** Parses a snapshot. Throws a SnapshotError. */
export function parseSnapshot(text: string): Snapshot {
  const [first = '', ...rest] = text.split('\n');
  const { format, version, exported_at: exportedAt } = objectOf(parseLine(first, 1));
  if (format !== FORMAT || version !== 1)
    throw new SnapshotError('is no snapshot that this version can read.');
  const answers = new Map<string, LookupAnswer>();
  for (const [index, line] of rest.entries()) {
    if (line === '') continue;
    const answer = objectOf(parseLine(line, index + 2)) as unknown as LookupAnswer & {
      names?: readonly string[];
    };
    if (textOf(answer.subject) === undefined || textOf(answer.status) === undefined)
      throw new SnapshotError(`has no answer in line ${index + 2}.`);
    for (const name of [answer.subject, ...(answer.names ?? [])]) answers.set(keyOf(name), answer);
  }
  return { exportedAt: textOf(exportedAt) ?? '', answers };
}

function parseLine(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new SnapshotError(`is not JSON in line ${number}.`);
  }
}

/**
 * Creates a look-up that reads a snapshot and sends nothing. A subject that is missing in the snapshot is a failure,
 * not an unknown subject.
 */
export function lookUpOffline({ answers }: Snapshot): LookUp {
  return async (subjects) =>
    new Map(
      subjects.map((subject): [string, LookupResult] => {
        const answer = answers.get(keyOf(subject));
        return [
          subject,
          answer
            ? { ...answer, subject }
            : { subject, failure: new SnapshotError('The snapshot does not have it.') },
        ];
      }),
    );
}

/** Normalizes a name as registries and repository hosts do before they compare names. */
function keyOf(name: string): string {
  const [, project, version = ''] = /^pypi:([^=]+)(==.*)?$/i.exec(name) ?? [];
  if (project !== undefined) return `pypi:${project.toLowerCase().replaceAll(/[-_.]+/g, '-')}${version}`;
  return name.startsWith('npm:') ? name : name.toLowerCase().replace(/^https:\/\/github\.com\//, '');
}
