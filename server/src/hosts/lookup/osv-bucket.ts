import { StringDecoder } from 'node:string_decoder';
import type { Hosts } from '../create-hosts.ts';
import { HostFailure } from '../host-account.ts';
import { type HostRequest, type RateLimit, requestHost, type Validators } from '../request-host.ts';

/** Host of the bucket to which osv.dev exports its records. */
export const OSV_HOST = 'osv-vulnerabilities.storage.googleapis.com';

/** Line of an index: the id of a record and the time of its last change. */
interface IndexedRecord {
  readonly id: string;
  readonly modifiedMs: number;
}

/** Newest part of the index of an ecosystem. */
export interface OsvIndex {
  /** Records as listed, newest first. */
  readonly records: readonly IndexedRecord[];
  /** Number of lines that are not `modified,id`. */
  readonly invalidLines: number;
  readonly validators: Validators;
  readonly rateLimit: RateLimit;
}

/**
 * Limits of the request for an index. The size is enough for more than a million lines; ecosystems have up to a few
 * hundred thousand.
 */
const INDEX_LIMITS = { maxBytes: 64 * 1024 * 1024, timeoutMs: 120_000 } satisfies HostRequest;
/** Limits of the request for a record; the largest records list thousands of versions. */
const RECORD_LIMITS = { maxBytes: 8 * 1024 * 1024, timeoutMs: 20_000 } satisfies HostRequest;
const LINE = /^(\d{4}-\d\d-\d\dT[\d:.]+Z),([\w.:-]{1,128})\r?$/;
const MAX_LINE_CHARACTERS = 1_000;

/**
 * Reads the index of an ecosystem, `modified_id.csv`, by a conditional request. The index lists the newest changes
 * first. Reading stops at the first line that is older than `from` (a Unix time in milliseconds), because an index has
 * many megabytes. Returns null if nothing has changed since the answer with the validators `since`. Rejects with a
 * HostFailure if the index cannot be read, or if its first record is older than `from`. Such an index is in another
 * order or an outdated copy, and would hide changes.
 */
export async function readOsvIndex(
  hosts: Hosts,
  ecosystem: string,
  { from, since, signal }: { from: number; since: Validators; signal: AbortSignal },
): Promise<OsvIndex | null> {
  const lines = new IndexLines(from);
  const isConditional = since.etag !== null || since.lastModified !== null;
  const path = `/${encodeURIComponent(ecosystem)}/modified_id.csv`;
  const { notModified, validators, rateLimit } = await requestHost(hosts, osvEndpoint(hosts), path, {
    ...{ ...INDEX_LIMITS, accept: 'text/csv', signal, alsoNotFound: 404 },
    take: (piece) => lines.take(piece),
    ...(isConditional ? { since } : {}),
  }).catch((error: unknown) => {
    // A missing index does not mean that the ecosystem has no advisories, so it is not reported as "not found".
    const isMissing = error instanceof HostFailure && error.kind === 'not_found';
    throw isMissing ? withoutIndex(ecosystem) : error;
  });
  if (notModified) return null;
  lines.end();
  if (lines.records.length === 0) throw withoutIndex(ecosystem);
  return { records: lines.records, invalidLines: lines.invalid, validators, rateLimit };
}

function withoutIndex(ecosystem: string): HostFailure {
  return new HostFailure('unusable', `${OSV_HOST} has no current index of ${ecosystem}.`);
}

/** Splits the pieces of an index into lines, up to the first one that is older than `from`. */
class IndexLines {
  readonly records: IndexedRecord[] = [];
  invalid = 0;
  readonly #from: number;
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';
  #isDone = false;

  constructor(from: number) {
    this.#from = from;
  }

  /** Takes the next piece. Returns false if no more are needed. */
  take(piece: Buffer): boolean {
    const lines = (this.#rest + this.#decoder.write(piece)).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#add(line);
    // Stop at a line that never ends, so that it is not collected in memory.
    if (this.#rest.length > MAX_LINE_CHARACTERS) {
      this.#add(this.#rest);
      this.#isDone = true;
    }
    return !this.#isDone;
  }

  /** Adds the last line if it does not end with a newline. */
  end(): void {
    this.#add(this.#rest);
  }

  #add(line: string): void {
    if (this.#isDone || line.trim() === '') return;
    const [, modified = '', id = ''] = LINE.exec(line) ?? [];
    const modifiedMs = Date.parse(modified);
    if (Number.isNaN(modifiedMs)) this.invalid += 1;
    else if (modifiedMs < this.#from) this.#isDone = true;
    else this.records.push({ id, modifiedMs });
  }
}

/**
 * Reads the text of a record. Rejects with a HostFailure, whose kind is `not_found` if the bucket does not have the
 * record.
 */
export async function readOsvRecord(
  hosts: Hosts,
  { ecosystem, id }: { ecosystem: string; id: string },
  signal: AbortSignal,
): Promise<{ text: string; rateLimit: RateLimit }> {
  const path = `/${encodeURIComponent(ecosystem)}/${encodeURIComponent(id)}.json`;
  const question = { ...RECORD_LIMITS, signal, alsoNotFound: 404 };
  const { body, rateLimit } = await requestHost(hosts, osvEndpoint(hosts), path, question);
  return { text: body, rateLimit };
}

function osvEndpoint(hosts: Hosts) {
  const endpoint = hosts.endpointOf(OSV_HOST);
  if (endpoint === null) throw new HostFailure('unreadable', `This server cannot read ${OSV_HOST}.`);
  return endpoint;
}
