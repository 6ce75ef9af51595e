import {
  type ChangeRow,
  type FeedPosition,
  readChanges,
} from '../server/src/directory/changes/change.queries.ts';
import type { Connection } from '../server/src/platform/database/connect.ts';

/** Changes per read: few, so that a reader is often in the middle of a transaction's changes. */
const PAGE = 7;

/**
 * Reader of the change feed that remembers every change, so that `problems` can compare them with the stored changes. Reads
 * rows of the table instead of the feed's entries, because an entry can merge several changes of a subject.
 */
export class FeedReader {
  readonly #database: Connection;
  #start: FeedPosition | null = null;
  #after: FeedPosition | null = null;
  #seen: ChangeRow[] = [];
  readonly #wrong: string[] = [];
  /** Number of times that the reader had to start again, because the feed no longer had its position. */
  restarts = 0;

  constructor(database: Connection) {
    this.#database = database;
  }

  /** Number of changes since the reader last started at the end of the feed. */
  get count(): number {
    return this.#seen.length;
  }

  /** Number of all changes read, including those before a restart. */
  total = 0;

  /** Returns true if the reader has all changes of this transaction and of earlier ones. */
  isPast(xid: string): boolean {
    return this.#after !== null && BigInt(this.#after.xid) > BigInt(xid);
  }

  /** Reads the next page. The first time, and if the feed no longer has the reader's position, starts at the end of the feed. */
  async step(): Promise<{ isAtEnd: boolean }> {
    const filters = { since: null, kinds: null, type: null, most: PAGE };
    const read = await readChanges(this.#database, { after: this.#after, ...filters });
    if (read === null) return { isAtEnd: true };
    if (this.#after === null || !read.isKept) {
      if (this.#after !== null) this.restarts += 1;
      this.#start = read.end;
      this.#after = read.end;
      this.#seen = [];
      return { isAtEnd: true };
    }
    for (const row of read.rows) {
      const last = this.#seen.at(-1) ?? this.#start;
      if (last && !isBefore(last, row)) this.#wrong.push(`${text(row)} came after ${text(last)}`);
      this.#seen.push(row);
      this.total += 1;
    }
    this.#after = read.last;
    return { isAtEnd: read.last === read.end };
  }

  async readToEnd(): Promise<void> {
    for (let isAtEnd = false; !isAtEnd; ) ({ isAtEnd } = await this.step());
  }

  /** Compares what was read with what is stored up to the reader's position. Returns what is wrong. */
  async problems(): Promise<string[]> {
    if (!this.#start || !this.#after) return ['nothing was read'];
    const { xid, seq } = this.#after;
    const stored = await this.#database.query<{ xid: string; seq: string }>(
      `SELECT xid::text, seq::text FROM change
       WHERE (xid, seq) > ($1::xid8, $2::bigint) AND (xid, seq) <= ($3::xid8, $4::bigint) ORDER BY change.xid, change.seq`,
      [this.#start.xid, this.#start.seq, xid, seq],
    );
    const [read, kept] = [this.#seen, stored].map((rows) => new Set(rows.map(text))) as [
      Set<string>,
      Set<string>,
    ];
    const missed = [...kept].filter((row) => !read.has(row)).map((row) => `${row} was skipped`);
    const lost = [...read].filter((row) => !kept.has(row)).map((row) => `${row} was read and is not stored`);
    return [...this.#wrong, ...missed, ...lost];
  }
}

type Place = Pick<ChangeRow, 'xid' | 'seq'>;

function text({ xid, seq }: Place): string {
  return `change ${xid}/${seq}`;
}

function isBefore(a: Place, b: Place): boolean {
  return a.xid === b.xid ? BigInt(a.seq) < BigInt(b.seq) : BigInt(a.xid) < BigInt(b.xid);
}
