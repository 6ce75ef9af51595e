import { hash } from 'node:crypto';

/** Position and content of the first line about a subject. */
export interface FirstLine {
  /** First 48 bits of the line's hash, to distinguish repeated lines from different ones. */
  readonly content: number;
  /** Index of the file among the files of the import. */
  readonly file: number;
  readonly line: number;
}

/** Number of 32-bit words of a key's stored hash: 96 bits, so collisions among millions of keys are negligible. */
const KEY_WORDS = 3;
/**
 * Number of 32-bit words per entry of the table. In this order: the key (three words), the high and the low part of the
 * content hash, the line number, and the file index plus 1. The last word is 0 in an empty slot.
 */
const ENTRY_WORDS = KEY_WORDS + 4;
/** Number of tables. Each table grows separately, so that memory never contains two copies of all entries. */
const TABLES = 256;
const INITIAL_SLOTS = 64;
const MAX_LOAD = 0.8;
const GROWTH = 1.5;
const WORD = 2 ** 32;

/**
 * Records which line was the first about each subject, for millions of subjects. Takes about 42 bytes per key, a tenth
 * of what a Map of strings takes.
 */
export class FirstLineIndex {
  readonly #tables = Array.from({ length: TABLES }, () => new Table());

  /** Returns the first line about any of these keys; null if there is none. */
  find(keys: readonly string[]): FirstLine | null {
    for (const key of keys) {
      const words = wordsOf(key);
      const found = this.#tableOf(words).find(words);
      if (found) return found;
    }
    return null;
  }

  /** Records a line as the first about these keys. */
  add(keys: readonly string[], line: FirstLine): void {
    for (const key of keys) {
      const words = wordsOf(key);
      this.#tableOf(words).add(words, line);
    }
  }

  #tableOf([first]: KeyWords): Table {
    return this.#tables[first % TABLES] as Table;
  }
}

type KeyWords = readonly [number, number, number];

/** Open-addressing hash table for a subset of the keys, in one block of memory. */
class Table {
  #slots = INITIAL_SLOTS;
  #words = emptySlots(INITIAL_SLOTS);
  #used = 0;

  find(key: KeyWords): FirstLine | null {
    const at = this.#slotOf(key);
    const [high = 0, low = 0, line = 0, file = 0] = this.#words.subarray(at + KEY_WORDS, at + ENTRY_WORDS);
    return file === 0 ? null : { content: high * WORD + low, line, file: file - 1 };
  }

  add(key: KeyWords, { content, file, line }: FirstLine): void {
    if (this.#used >= this.#slots * MAX_LOAD) this.#grow();
    this.#words.set([...key, Math.floor(content / WORD), content % WORD, line, file + 1], this.#slotOf(key));
    this.#used += 1;
  }

  /** Returns the slot of a key, or the empty slot for it. */
  #slotOf([first, second, third]: KeyWords): number {
    const words = this.#words;
    // The first word of the key has selected the table, so the second one selects the slot.
    let at = (second % this.#slots) * ENTRY_WORDS;
    while (words[at + ENTRY_WORDS - 1] !== 0) {
      if (words[at] === first && words[at + 1] === second && words[at + 2] === third) return at;
      at += ENTRY_WORDS;
      if (at === words.length) at = 0;
    }
    return at;
  }

  #grow(): void {
    const before = this.#words;
    this.#slots = Math.ceil(this.#slots * GROWTH);
    this.#words = emptySlots(this.#slots);
    for (let at = 0; at < before.length; at += ENTRY_WORDS) {
      if (before[at + ENTRY_WORDS - 1] === 0) continue;
      const [first = 0, second = 0, third = 0] = before.subarray(at, at + KEY_WORDS);
      this.#words.set(before.subarray(at, at + ENTRY_WORDS), this.#slotOf([first, second, third]));
    }
  }
}

/**
 * Allocates slots as a resizable ArrayBuffer, which gets memory pages of its own. When a table grows, the pages of its
 * former slots return to the system at once. Ordinary buffers of this size would hold a hundred megabytes until the end
 * of the import.
 */
function emptySlots(slots: number): Uint32Array {
  const maxByteLength = slots * ENTRY_WORDS * Uint32Array.BYTES_PER_ELEMENT;
  return new Uint32Array(new ArrayBuffer(maxByteLength, { maxByteLength }), 0, slots * ENTRY_WORDS);
}

/** Returns the first 48 bits of a line's hash. */
export function contentHash(text: string | null): number {
  return hash('sha1', text ?? '', 'buffer').readUIntBE(0, 6);
}

function wordsOf(key: string): KeyWords {
  const digest = hash('sha1', key, 'buffer');
  return [digest.readUInt32BE(0), digest.readUInt32BE(4), digest.readUInt32BE(8)];
}
