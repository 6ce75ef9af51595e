import type { AdvisoryRow } from '../../catalog/advisories/save-advisories.ts';
import type { Hosts } from '../../hosts/create-hosts.ts';
import { HostFailure } from '../../hosts/host-account.ts';
import { readOsvRecord } from '../../hosts/lookup/osv-bucket.ts';
import { AnswerTooLarge, type RateLimit } from '../../hosts/request-host.ts';
import { parseOsv } from '../advisories/parse-osv.ts';

/** A record to read: its id, and the time of its change according to the index, in milliseconds. */
export type PendingRecord = readonly [id: string, modifiedMs: number];

/** Maximum records of one reading, so that other sources have their turn. */
const RECORDS_PER_READING = 10;

/** Records of one reading. */
export interface ReadRecords {
  readonly rows: AdvisoryRow[];
  /** Records not to request again before they change: invalid ones, and those that name no package of npm or PyPI. */
  readonly refused: PendingRecord[];
  /** Records that could not be read, or that are older than the index says. */
  readonly missing: PendingRecord[];
  /** Texts for people that say what is wrong with records. */
  readonly problems: string[];
  readonly requests: number;
  readonly rateLimit: RateLimit;
}

/**
 * Reads the first pending records of an ecosystem, one after the other. A record that is missing or invalid does not
 * prevent reading the others. If the host fails or the signal aborts, returns the records that were read before;
 * rejects if there are none. `isStuck` says that the first record has failed repeatedly: it then counts as missing if
 * it fails again, unless the host limits our requests.
 */
export async function readRecords(
  hosts: Hosts,
  { ecosystem, pending, isStuck }: { ecosystem: string; pending: readonly PendingRecord[]; isStuck: boolean },
  signal: AbortSignal,
): Promise<ReadRecords> {
  const rows: AdvisoryRow[] = [];
  const refused: PendingRecord[] = [];
  const missing: PendingRecord[] = [];
  const problems: string[] = [];
  let requests = 0;
  let rateLimit: RateLimit = { remaining: null, resetSeconds: null };
  for (const each of pending.slice(0, RECORDS_PER_READING)) {
    const [id, modifiedMs] = each;
    const note = (list: PendingRecord[], problem: string) => {
      list.push(each);
      problems.push(`${ecosystem}/${id}: ${problem}`);
    };
    try {
      const answer = await readOsvRecord(hosts, { ecosystem, id }, signal);
      rateLimit = answer.rateLimit;
      const parsed = parseOsv(answer.text);
      if (parsed.kind === 'rejected')
        note(parsed.code === 'invalid' ? refused : missing, `${parsed.reason}.`);
      else if (parsed.row.id !== id) note(missing, 'the file is another record.');
      else {
        rows.push(parsed.row);
        if (parsed.row.packages.length === 0) refused.push(each);
        if (Date.parse(parsed.row.modifiedAt) < modifiedMs) note(missing, 'is older than the index says.');
      }
    } catch (error) {
      if (!isRecordFailure(error, isStuck && requests === 0)) {
        if (requests === 0) throw error;
        break;
      }
      note(missing, error.message);
    }
    requests += 1;
  }
  return { rows, refused, missing, problems, requests, rateLimit };
}

/**
 * Returns true if the next record can be requested after this error: the error is about the requested record only, or
 * the record is stuck and the host does not limit our requests.
 */
function isRecordFailure(error: unknown, isStuck: boolean): error is HostFailure {
  if (!(error instanceof HostFailure)) return false;
  if (error.kind === 'not_found' || error instanceof AnswerTooLarge) return true;
  return isStuck && error.kind !== 'limited';
}
