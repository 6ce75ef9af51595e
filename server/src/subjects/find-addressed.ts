import type { Connection } from '../database/connect.ts';
import type { Reading } from './address.ts';
import type { Delisted } from './delisted.ts';
import { findDelisted } from './delisted-subject.repository.ts';
import type { AskedLabel } from './found-subject.condition.ts';
import { findSubjects } from './found-subject.repository.ts';
import { labelsOfReadings, readNames } from './labels-of.ts';
import { findByHostId } from './listing-by-host-id.repository.ts';
import type { Naming } from './naming.ts';
import { splitOnce } from './read-address.ts';
import { readHostId } from './read-host-id.ts';
import { type ResolvedSubject, toResolved } from './resolve-subject.ts';
import { SUBJECT_TYPES } from './subject-type.ts';

/** What leads to one subject by itself, as no name does that others may bear too. */
export type Pointer = Exclude<Reading, { kind: 'name' }>;

/** What the box of a search was given in place of words. */
export interface Addressed {
  /** As it was understood: the most exact reading. */
  address: Pointer;
  /** Whom it names: one; several, where it is ambiguous; nobody, where it is not known here. */
  subjects: ResolvedSubject[];
  /** Why nobody: an operator took it out. */
  delisted: Delisted | null;
}

const MOST_SHOWN = 10;
/** A place behind those of all that a text says itself. */
const AFTER_ALL = 1_000;

/**
 * Whom a text names that is an address, id, package or handle; null for words, which others may bear as their name. What
 * lies below a known repository (an issue, a file, a heading of its page) leads to the repository where it is nothing by
 * itself. Words ask nothing of the database, an address asks
 * once, a host's id before it, and once more where nobody is found.
 */
export async function findAddressed(
  connection: Connection,
  text: string,
  naming: Naming,
): Promise<Addressed | null> {
  const readings = (await readByHostId(connection, text)) ?? readAddress(text, naming);
  const [address] = readings;
  if (!address) return null;
  const around = readings.flatMap(repositoryAround);
  const asked = [...labelsAsked(readings, 0, naming), ...labelsAsked(around, AFTER_ALL, naming)];
  const found = await findSubjects(connection, asked, MOST_SHOWN, naming);
  if (found.length > 0) {
    return { address, subjects: found.map((one) => toResolved(one, naming)), delisted: null };
  }
  // Who writes two words with a slash in one of them is searching.
  if (asked.length === 0 || /\s/.test(text.trim())) return null;
  const [delisted = null] = await findDelisted(connection, asked);
  return { address, subjects: [], delisted };
}

/** The listing that a host's id leads to, which a later name of its repository has too; null where it is none or nobody's. */
async function readByHostId(connection: Connection, text: string): Promise<Pointer[] | null> {
  const hostId = readHostId(text);
  const id = hostId && (await findByHostId(connection, hostId));
  return id === null ? null : [{ kind: 'id', id }];
}

function labelsAsked(readings: readonly Reading[], from: number, naming: Naming): AskedLabel[] {
  return SUBJECT_TYPES.flatMap((type) =>
    labelsOfReadings(readings, type, naming).map((label, index) => ({ label, type, place: from + index })),
  );
}

/** Without its fragment, where it means nothing with it: `…/blob/main/README.md#install`. */
function readAddress(text: string, naming: Naming): Pointer[] {
  const [page = '', fragment] = splitOnce(text, '#');
  const whole = readNames(text, naming);
  const readings = whole.length === 0 && fragment !== undefined ? readNames(page, naming) : whole;
  return readings.every(isPointer) ? readings : [];
}

function isPointer(reading: Reading): reading is Pointer {
  return reading.kind !== 'name';
}

/** The repository that an address is inside of, of whatever type it is. */
function repositoryAround({ type, ...reading }: Reading): Reading[] {
  if (reading.kind !== 'repository') return [];
  const isItself = reading.artifact === null && reading.path === null && type === undefined;
  return isItself ? [] : [{ ...reading, artifact: null, path: null }];
}
