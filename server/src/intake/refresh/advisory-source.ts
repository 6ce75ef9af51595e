import { ECOSYSTEM_RULES, ECOSYSTEMS, type Ecosystem } from '../../catalog/advisories/ecosystems.ts';
import {
  type AdvisoryRow,
  countAdvisories,
  findNewer,
  saveChangedAdvisories,
  saveReadings,
} from '../../catalog/advisories/save-advisories.ts';
import { refreshAllStandings, refreshStandingsOf } from '../../catalog/facts/refresh-standings.ts';
import type { Hosts } from '../../hosts/create-hosts.ts';
import { HostFailure } from '../../hosts/host-account.ts';
import { OSV_HOST, readOsvIndex } from '../../hosts/lookup/osv-bucket.ts';
import type { Validators } from '../../hosts/request-host.ts';
import type { Database } from '../../platform/database/connect.ts';
import { COLLECTED_SOURCE } from '../advisories/osv-fields.ts';
import { type PendingRecord, readRecords } from './advisory-records.ts';
import { scheduleItems } from './leased-source.queries.ts';
import { createLeasedSource, type SourceAnswer } from './leased-source.ts';
import type { RefreshSource } from './refresh-source.ts';

const SOURCE = 'advisories';
/**
 * Folders of osv.dev's storage bucket, by the name of the scheduled item. The folder of `none` has records without
 * packages, most of them withdrawn. A record of this folder is read only if it is already stored, because it may have
 * named packages before.
 */
const FOLDERS: Readonly<Record<string, Folder>> = {
  ...Object.fromEntries(
    ECOSYSTEMS.map((ecosystem) => [ecosystem, { ecosystem, name: ECOSYSTEM_RULES[ecosystem].osvName }]),
  ),
  none: { ecosystem: null, name: '[EMPTY]' },
};
const DAY_SECONDS = 86_400;
/**
 * Time by which a pass overlaps the one before it, because a record can appear in the index days after the time of its
 * change.
 */
const OVERLAP_MS = 7 * DAY_SECONDS * 1_000;
/**
 * Maximum records that are pending at a time. If more have changed, the pass reads the index again after reading these.
 */
const MAX_PENDING = 1_000;
/** Maximum refused records to remember. A forgotten one is requested again. */
const MAX_REFUSED = 1_000;
/**
 * Maximum failures in a row after which the first pending record is only requested again. After more, one more failure
 * makes it count as missing.
 */
const FAILURES_OF_A_RECORD = 2;
const NO_VALIDATORS: Validators = { etag: null, lastModified: null };
const NO_LIMIT = { remaining: null, resetSeconds: null };

/** State of a folder between two readings. Times that are numbers are in milliseconds since 1970. */
interface AdvisoryState {
  /** Time up to which all changes of the index are stored; 0 until the whole index has been compared. */
  readonly position?: number;
  /** HTTP validators (ETag, Last-Modified) of the last index, if everything in it is stored. */
  readonly validators?: Validators;
  /** Times of changes that cannot be stored, by record. */
  readonly refused?: Readonly<Record<string, number>>;
  readonly pass?: Pass | undefined;
}

/** Pass over the changes that an index lists: reads the changed records one by one, in several readings. */
interface Pass {
  /** Time at which the index was read, ISO 8601. */
  readonly readAt: string;
  readonly validators: Validators;
  /** Records to read, oldest change first. */
  readonly pending: readonly PendingRecord[];
  /** Time of the last pending change; `newest` is the time of the newest change in the index. */
  readonly until: number;
  readonly newest: number;
  /**
   * True if the index lists more changes than the pending ones. The further changes may have the same time as the last
   * pending change.
   */
  readonly isCut: boolean;
  /**
   * Time of the oldest change that could not be read; 0 if lines of the index are invalid; null if all could be read.
   */
  readonly missingSince: number | null;
  /** True if a record has been stored or refused since the index was read. */
  readonly isMoving: boolean;
}

/**
 * Folder of the bucket with the records of an ecosystem. `ecosystem` is null for the folder of records without
 * packages.
 */
interface Folder {
  readonly ecosystem: Ecosystem | null;
  readonly name: string;
}

interface AdvisoryParts {
  readonly database: Database;
  readonly hosts: Hosts;
}

type Answer = SourceAnswer<readonly AdvisoryRow[]>;

/**
 * Creates the source of changed advisories. Once a day, it reads which records of a registry's packages have changed,
 * and then these records, a few per reading. An ecosystem counts as read only when everything in its index is stored.
 *
 * Does not read whole databases, because that takes a request per record or an archive of hundreds of megabytes. The
 * command `import` reads the archive in a process of its own, so that no server stalls.
 */
export function advisorySource(parts: AdvisoryParts): RefreshSource {
  const { database } = parts;
  return createLeasedSource<readonly AdvisoryRow[]>(database, {
    name: 'changes of advisories',
    source: SOURCE,
    checkSeconds: DAY_SECONDS,
    goneSeconds: DAY_SECONDS,
    async prepare() {
      const items = Object.keys(FOLDERS).map((item) => ({ item, host: OSV_HOST, listingId: null }));
      await scheduleItems(database, SOURCE, items);
      return [OSV_HOST];
    },
    async read(claimed, signal) {
      const folder = FOLDERS[claimed.item];
      if (folder === undefined) throw new Error(`the item ${claimed.item} names no folder`);
      const state = claimed.state as AdvisoryState;
      const { position = 0, validators: since = NO_VALIDATORS, pass } = state;
      if (pass === undefined) {
        const isEmpty =
          folder.ecosystem !== null && (await countAdvisories(database, folder.ecosystem)) === 0;
        if (isEmpty) throw withoutBase(parts.hosts, folder);
        return readChanges(parts, folder, state, { from: Math.max(0, position - OVERLAP_MS), since }, signal);
      }
      if (pass.pending.length > 0) {
        const isStuck = claimed.failures > FAILURES_OF_A_RECORD;
        return readPending(parts, folder, { ...state, pass, isStuck }, signal);
      }
      if (pass.isCut && pass.isMoving) {
        return readChanges(parts, folder, state, { from: pass.until, since: NO_VALIDATORS }, signal);
      }
      return finish(parts, folder, state, pass);
    },
    store: async (connection, _, rows) =>
      refreshStandingsOf(connection, await saveChangedAdvisories(connection, rows ?? [])),
  });
}

function withoutBase(hosts: Hosts, folder: Folder): HostFailure {
  const url = archiveOf(hosts, folder);
  return new HostFailure(
    'unusable',
    `Most advisories of ${folder.name} are not stored: import ${url} first.`,
  );
}

function archiveOf(hosts: Hosts, { name }: Folder): string {
  return `${hosts.endpointOf(OSV_HOST)?.url}/${name}/all.zip`;
}

/** Reads the index from a time on, and begins a pass with the records in it that are newer than the stored ones. */
async function readChanges(
  parts: AdvisoryParts,
  folder: Folder,
  state: AdvisoryState,
  { from, since }: { from: number; since: Validators },
  signal: AbortSignal,
): Promise<Answer> {
  const readAt = new Date().toISOString();
  const index = await readOsvIndex(parts.hosts, folder.name, { from, since, signal });
  if (index === null) {
    await recordReading(parts.database, folder, readAt);
    return { value: null, state: { ...state }, requests: 1, rateLimit: NO_LIMIT };
  }
  const { records, invalidLines, validators, rateLimit } = index;
  const newer = await findNewer(parts.database, records, { isStored: folder.ecosystem === null });
  const changes = records.filter(({ id, modifiedMs }) => newer.has(id) && state.refused?.[id] !== modifiedMs);
  if (from === 0 && changes.length > records.length / 2) throw withoutBase(parts.hosts, folder);
  const pending = changes
    .slice(-MAX_PENDING)
    .reverse()
    .map(({ id, modifiedMs }): PendingRecord => [id, modifiedMs]);
  const newest = records[0]?.modifiedMs ?? from;
  const until = pending.at(-1)?.[1] ?? newest;
  const isCut = changes.length > pending.length;
  const missingSince = invalidLines > 0 ? 0 : (state.pass?.missingSince ?? null);
  const pass: Pass = { readAt, validators, pending, until, newest, isCut, missingSince, isMoving: false };
  const problems = [
    ...(invalidLines > 0 ? [`${folder.name}: ${invalidLines} lines of the index are invalid.`] : []),
    ...(isCut ? [`${folder.name}: many changes are due; ${archiveOf(parts.hosts, folder)} is faster.`] : []),
  ];
  if (pending.length === 0) {
    const finished = await finish(parts, folder, state, pass);
    return { ...finished, requests: 1, rateLimit, problems: [...problems, ...(finished.problems ?? [])] };
  }
  return { value: [], state: { ...state, pass }, requests: 1, rateLimit, nextCheckSeconds: 0, problems };
}

/** Reads the first pending records. */
async function readPending(
  { hosts }: AdvisoryParts,
  { name }: Folder,
  { pass, isStuck, ...state }: AdvisoryState & { readonly pass: Pass; readonly isStuck: boolean },
  signal: AbortSignal,
): Promise<Answer> {
  const read = await readRecords(hosts, { ecosystem: name, pending: pass.pending, isStuck }, signal);
  const { rows, refused, missing, problems, requests, rateLimit } = read;
  const known = [...Object.entries(state.refused ?? {}), ...refused];
  const [[, firstMissing = null] = []] = missing;
  const rest: Pass = {
    ...pass,
    pending: pass.pending.slice(requests),
    missingSince: pass.missingSince ?? firstMissing,
    isMoving: pass.isMoving || missing.length < requests,
  };
  const next: AdvisoryState = {
    ...state,
    refused: Object.fromEntries(known.slice(-MAX_REFUSED)),
    pass: rest,
  };
  return { value: rows, state: { ...next }, requests, rateLimit, nextCheckSeconds: 0, problems };
}

/**
 * Ends a pass. If all records of the index were stored, the ecosystem counts as read at the time when its index was
 * read.
 */
async function finish(
  { database }: AdvisoryParts,
  folder: Folder,
  { position = 0, refused = {} }: AdvisoryState,
  { readAt, validators, until, newest, isCut, missingSince }: Pass,
): Promise<Answer> {
  const kept = { value: [], requests: 0, rateLimit: NO_LIMIT };
  if (missingSince === null && !isCut) {
    await recordReading(database, folder, readAt);
    return { ...kept, state: { position: newest, validators, refused } };
  }
  const known = Math.max(position, (missingSince ?? until) - 1);
  const problems = [`${folder.name} does not count as read, because records of its index are missing.`];
  return { ...kept, state: { position: known, refused }, problems };
}

/** Stores that all records of an ecosystem were read, and judges all packages again, as an import does. */
async function recordReading(database: Database, { ecosystem }: Folder, readAt: string): Promise<void> {
  if (ecosystem === null) return;
  const records = await countAdvisories(database, ecosystem);
  await saveReadings(database, [{ source: COLLECTED_SOURCE, ecosystem, records, readAt }]);
  await refreshAllStandings(database);
}
