import { LRUCache } from 'lru-cache';
import { EVERYTHING, partsOf } from '../../database/announced-change.ts';
import type { WholeAnswer } from './whole-answer.ts';

/** An answer as it is sent again. */
export class KeptAnswer {
  readonly headers: Readonly<Record<string, string | number>>;
  private content: string | Buffer;

  constructor(content: string | Buffer, headers: KeptAnswer['headers']) {
    this.headers = headers;
    this.content = typeof content === 'string' ? content : toBuffer(content);
  }

  /** Its bytes, the same ones each time. Many answers are sent once: of a text they are made for the first who asks again. */
  get body(): Buffer {
    if (typeof this.content === 'string') this.content = toBuffer(this.content);
    return this.content;
  }

  /** The most that it takes: a text up to two bytes for each of its own, bytes as much again for their compressed forms. */
  get space(): number {
    return 2 * Buffer.byteLength(this.content);
  }
}

/** In memory of its own: a small Buffer is else a piece of a larger one, and keeps all of that. */
function toBuffer(content: string | Buffer): Buffer {
  const body = Buffer.allocUnsafeSlow(Buffer.byteLength(content));
  if (typeof content === 'string') body.write(content);
  else content.copy(body);
  return body;
}

/** What an answer depends on. */
export interface Dependencies {
  /** Parts of changes that make it another answer, beside `*`. */
  readonly parts: Iterable<string>;
  /** On the memory's clock; infinite where time changes nothing. */
  readonly goodUntil: number;
}

/** One reading of what is to be an answer, from before its first statement. */
export interface Reading {
  /** What it came to; null where that is not to be sent to others. */
  readonly outcome: Promise<KeptAnswer | null>;
  /** Ends it with an answer, which is kept unless something it depends on changed meanwhile. */
  keep(answer: KeptAnswer, dependencies: Dependencies): void;
  /** Ends it without; does nothing after `keep`. */
  giveUp(): void;
}

interface Entry {
  readonly answer: KeptAnswer;
  readonly parts: readonly string[];
  readonly goodUntil: number;
  /** As it left, by the form that was asked for; null until it was sent again. */
  wholes: Map<string, WholeAnswer> | null;
}

/** Forms of one answer: what clients ask for is their own choice, and most ask for one of few. */
const MOST_FORMS = 3;
/** Memory that an entry takes beside its texts, and each of the parts that it is found by: measured, rounded up. */
const ENTRY_BYTES = 1_500;
const PART_BYTES = 250;
/** No single answer takes more than this share of the memory. */
const LARGEST_SHARE = 1 / 8;

/**
 * Answers by address in bounded memory, least recently used first out, with what they depend on. Keeps nothing until it is
 * opened, and after `close` nothing until it is opened again: while changes may go unheard, nothing can be trusted.
 */
export class AnswerMemory {
  readonly #entries: LRUCache<string, Entry>;
  /** Most parts are of one answer: a set for each would weigh more than they do. */
  readonly #keysByPart = new Map<string, string | Set<string>>();
  /** Readings under way with the parts that changed since they began. */
  readonly #readings = new Map<Reading, Set<string>>();
  /** Readings that others may wait for: none that began before the last change. */
  readonly #shared = new Map<string, Reading>();
  readonly #now: () => number;
  /** Tells `true` once every change is heard that was committed before this call; `false` where that takes too long. */
  hearAll: (told: (hasHeard: boolean) => void) => void = (told) => told(false);
  #isOpen = false;
  /** Since the start: look-ups, and on its clock the last change that touched everything. */
  #hits = 0;
  #misses = 0;
  #replacedAt: number | null = null;
  #trustedUntil = 0;

  constructor(mostBytes: number, now: () => number = () => performance.now()) {
    this.#now = now;
    this.#entries = new LRUCache({
      maxSize: Math.max(1, mostBytes),
      maxEntrySize: Math.max(1, Math.floor(mostBytes * LARGEST_SHARE)),
      sizeCalculation: ({ answer, parts }, key) =>
        ENTRY_BYTES +
        answer.space +
        4 * key.length +
        2 * lengthOf(answer.headers) +
        PART_BYTES * parts.length,
      dispose: ({ parts }, key) => this.#forgetParts(key, parts),
    });
  }

  /** Bytes held at present, as they are counted. */
  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  /** What has come of it since the start; `replacedAt` is null until a change has touched everything. */
  get counts(): { entries: number; hits: number; misses: number; replacedAt: number | null } {
    const { size } = this.#entries;
    return { entries: size, hits: this.#hits, misses: this.#misses, replacedAt: this.#replacedAt };
  }

  /** Whether anything is kept. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether what is kept may be sent: no change can have gone unheard for too long. */
  get isTrusted(): boolean {
    return this.#isOpen && this.#now() < this.#trustedUntil;
  }

  /** Begins to keep, and to send what is kept until this moment of the memory's clock. */
  open(trustedUntil: number): void {
    this.close();
    this.#isOpen = true;
    this.#trustedUntil = trustedUntil;
  }

  /** What is kept may be sent until then. Past that it stays, since a change that is heard of late still drops it. */
  trust(until: number): void {
    this.#trustedUntil = until;
  }

  close(): void {
    this.#isOpen = false;
    this.#forget([EVERYTHING]);
  }

  /** As it left before in this form; undefined where it has to be put together, which is no look-up yet. */
  getWhole(key: string, form: string): WholeAnswer | undefined {
    const found = this.#find(key)?.wholes?.get(form);
    if (found) this.#hits += 1;
    return found;
  }

  /** Reports whether `getWhole` would find one; counts as no look-up. */
  hasWhole(key: string, form: string): boolean {
    return this.#find(key)?.wholes?.has(form) === true;
  }

  /** Notes how an answer left that was sent from here; one that was forgotten meanwhile is not noted. */
  keepWhole(key: string, form: string, sent: KeptAnswer, whole: WholeAnswer): void {
    const entry = this.#entries.peek(key);
    if (entry?.answer !== sent) return;
    entry.wholes ??= new Map();
    if (entry.wholes.size < MOST_FORMS) entry.wholes.set(form, whole);
  }

  get(key: string): KeptAnswer | undefined {
    const found = this.#find(key);
    if (found) this.#hits += 1;
    else this.#misses += 1;
    return found?.answer;
  }

  /** Whether it has an answer to send, or one is under way; counts as no look-up. */
  has(key: string): boolean {
    return this.#find(key) !== undefined || this.underWay(key) !== undefined;
  }

  #find(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    const now = this.#now();
    if (entry === undefined || now >= this.#trustedUntil) return undefined;
    if (now < entry.goodUntil) return entry;
    this.#entries.delete(key);
    return undefined;
  }

  /** The reading of the same answer that is under way and as new as one that began now; undefined where there is none. */
  underWay(key: string): Reading | undefined {
    return this.isTrusted ? this.#shared.get(key) : undefined;
  }

  /** Begins a reading that others wait for; null while nothing is kept. */
  begin(key: string): Reading | null {
    if (!this.#isOpen) return null;
    const changed = new Set<string>();
    let tell: (answer: KeptAnswer | null) => void = () => undefined;
    const outcome = new Promise<KeptAnswer | null>((resolve) => {
      tell = resolve;
    });
    const end = (answer: KeptAnswer | null) => {
      this.#readings.delete(reading);
      if (this.#shared.get(key) === reading) this.#shared.delete(key);
      tell(answer);
    };
    const reading: Reading = {
      outcome,
      keep: (answer, dependencies) => {
        if (!this.#readings.has(reading)) return;
        // Anyone who waited began after the last change, or does not wait any more.
        end(answer);
        this.#keep(key, answer, dependencies, changed);
      },
      giveUp: () => this.#readings.has(reading) && end(null),
    };
    this.#readings.set(reading, changed);
    this.#shared.set(key, reading);
    return reading;
  }

  /** Forgets what a change makes untrue. A reading under way may have seen the time before: it will not be kept either. */
  drop(change: string): void {
    const parts = partsOf(change);
    if (parts.includes(EVERYTHING)) this.#replacedAt = this.#now();
    this.#forget(parts);
  }

  #forget(parts: readonly string[]): void {
    this.#shared.clear();
    for (const changed of this.#readings.values()) for (const part of parts) changed.add(part);
    if (parts.includes(EVERYTHING)) return void this.#entries.clear();
    for (const part of parts) {
      const keys = this.#keysByPart.get(part) ?? [];
      for (const key of typeof keys === 'string' ? [keys] : keys) this.#entries.delete(key);
    }
  }

  #keep(
    key: string,
    answer: KeptAnswer,
    { parts, goodUntil }: Dependencies,
    changed: ReadonlySet<string>,
  ): void {
    const all = [...parts];
    if (!this.#isOpen || changed.has(EVERYTHING) || all.some((part) => changed.has(part))) return;
    this.#entries.set(key, { answer, parts: all, goodUntil, wholes: null });
    if (!this.#entries.has(key)) return;
    for (const part of all) {
      const keys = this.#keysByPart.get(part);
      if (keys === undefined) this.#keysByPart.set(part, key);
      else if (typeof keys !== 'string') keys.add(key);
      else if (keys !== key) this.#keysByPart.set(part, new Set([keys, key]));
    }
  }

  #forgetParts(key: string, parts: readonly string[]): void {
    for (const part of parts) {
      const keys = this.#keysByPart.get(part);
      if (keys === key) this.#keysByPart.delete(part);
      if (keys === undefined || typeof keys === 'string') continue;
      keys.delete(key);
      if (keys.size === 0) this.#keysByPart.delete(part);
    }
  }
}

function lengthOf(headers: KeptAnswer['headers']): number {
  let length = 0;
  for (const name in headers) length += name.length + String(headers[name]).length;
  return length;
}
