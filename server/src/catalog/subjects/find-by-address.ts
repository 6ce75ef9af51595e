import type { Connection } from '../../platform/database/connect.ts';
import { SUBJECT_TYPES } from '../../scoring/subject-type.ts';
import type { RankedAlias } from './found-subject.fragment.ts';
import { findByHostId, findDelisted, findSubjects } from './found-subject.queries.ts';
import type { PublicUrls } from './public-path.ts';
import type { ParsedAddress } from './read-address.ts';
import { splitOnce } from './read-address.ts';
import { readHostId } from './read-host-id.ts';
import { aliasesOf, aliasesOfAddresses, parseAddresses } from './read-subject.ts';
import { type Delisted, type ResolvedSubject, toResolved } from './resolve-subject.ts';

/** Maximum subjects returned per type. If more subjects share a name, users must search for a more specific name. */
const MAX_OF_TYPE = 50;

/**
 * Returns the ids of the subjects that a text names by id, current or former address, package, handle or display name:
 * at most 50 of each type, and only those with the highest-ranked alias (`findSubjects`).
 */
export async function findSubjectIds(
  connection: Connection,
  text: string,
  publicUrls: PublicUrls,
): Promise<string[]> {
  const found = await Promise.all(
    SUBJECT_TYPES.map((type) => {
      const asked = aliasesOf(text, type, publicUrls).map((label, place) => ({ label, type, place }));
      return findSubjects(connection, asked, MAX_OF_TYPE, publicUrls);
    }),
  );
  return found.flat().map(({ id }) => id);
}

/** An address that identifies one subject. A display name is not one, because several subjects can share it. */
export type UniqueAddress = Exclude<ParsedAddress, { kind: 'name' }>;

/** Search text that is an address, and the subjects it identifies. */
export interface AddressMatch {
  /** The most specific address that the text can mean. */
  address: UniqueAddress;
  /** Matching subjects: one if unique, several if ambiguous, none if unknown. */
  subjects: ResolvedSubject[];
  /** Facts about the removal if an operator removed the subject; the result then has no subjects. Otherwise null. */
  delisted: Delisted | null;
}

const MAX_SHOWN = 10;
/**
 * First `place` for aliases of the repository that contains the address. Aliases of the address itself have lower
 * places.
 */
const AFTER_ALL_READINGS = 1_000;

/**
 * Resolves search text that is an address, id, package or handle. An unknown one gives a match without subjects. Returns
 * null for plain words, and for an address with spaces that matches nothing, because such a text is a search. An address
 * below a known repository (an issue, a file, a heading) resolves to the repository if nothing more specific matches.
 * Plain words cost no query. An address costs one, or two if it is a host's numeric id; one more looks for a delisting if
 * nothing was found.
 */
export async function findByAddress(
  connection: Connection,
  text: string,
  publicUrls: PublicUrls,
): Promise<AddressMatch | null> {
  const readings = (await readByHostId(connection, text)) ?? readAddress(text, publicUrls);
  const [address] = readings;
  if (!address) return null;
  const containing = readings.flatMap(containingRepository);
  const asked = [
    ...aliasesOfAll(readings, 0, publicUrls),
    ...aliasesOfAll(containing, AFTER_ALL_READINGS, publicUrls),
  ];
  const found = await findSubjects(connection, asked, MAX_SHOWN, publicUrls);
  if (found.length > 0) {
    return { address, subjects: found.map((one) => toResolved(one, publicUrls)), delisted: null };
  }
  // Text with spaces is a search, even if it contains a slash.
  if (asked.length === 0 || /\s/.test(text.trim())) return null;
  const [delisted = null] = await findDelisted(connection, asked);
  return { address, subjects: [], delisted };
}

/** Reads a host's numeric repository id, which survives renames. Returns null for other texts and unknown ids. */
async function readByHostId(connection: Connection, text: string): Promise<UniqueAddress[] | null> {
  const hostId = readHostId(text);
  const id = hostId && (await findByHostId(connection, hostId));
  return id === null ? null : [{ kind: 'id', id }];
}

function aliasesOfAll(
  readings: readonly ParsedAddress[],
  from: number,
  publicUrls: PublicUrls,
): RankedAlias[] {
  return SUBJECT_TYPES.flatMap((type) =>
    aliasesOfAddresses(readings, type, publicUrls).map((label, index) => ({
      label,
      type,
      place: from + index,
    })),
  );
}

/**
 * Parses the text. If the text with its fragment is no address, parses it without the fragment:
 * `…/blob/main/README.md#install`.
 */
function readAddress(text: string, publicUrls: PublicUrls): UniqueAddress[] {
  const [page = '', fragment] = splitOnce(text, '#');
  const whole = parseAddresses(text, publicUrls);
  const readings = whole.length === 0 && fragment !== undefined ? parseAddresses(page, publicUrls) : whole;
  return readings.every(isPointer) ? readings : [];
}

function isPointer(reading: ParsedAddress): reading is UniqueAddress {
  return reading.kind !== 'name';
}

/**
 * Returns the repository that contains the address, in a list, for any subject type. The list is empty if there is
 * none.
 */
function containingRepository({ type, ...reading }: ParsedAddress): ParsedAddress[] {
  if (reading.kind !== 'repository') return [];
  const isItself = reading.artifact === null && reading.path === null && type === undefined;
  return isItself ? [] : [{ ...reading, artifact: null, path: null }];
}
