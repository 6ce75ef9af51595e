import { hash } from 'node:crypto';

/** The first line about something. */
export interface FirstLine {
  /** 48 bits of the line's hash: enough to tell whether two lines about one thing say the same. */
  readonly content: number;
  /** Which of the files, in their order. */
  readonly file: number;
  readonly line: number;
}

/** Of a key's hash so many words are kept: in a million keys no two are alike by chance. */
const KEY_WORDS = 3;
/** The key, the content's high and low part, the line, and the file from 1; an empty place has no file. */
const WORDS = KEY_WORDS + 4;
/** Each grows by itself: all that is kept is never there twice, old and grown. */
const TABLES = 256;
const FIRST_PLACES = 64;
const FULLEST = 0.8;
const GROWTH = 1.5;
const WORD = 2 ** 32;

/**
 * Which line was the first about each thing, for millions of them: about 42 bytes a key, where a map of texts would take ten
 * times as much.
 */
export class FirstLines {
  readonly #tables = Array.from({ length: TABLES }, () => new Table());

  /** The first line about any of these; null where there is none. */
  find(keys: readonly string[]): FirstLine | null {
    for (const key of keys) {
      const words = wordsOf(key);
      const found = this.#tableOf(words).find(words);
      if (found) return found;
    }
    return null;
  }

  /** Keeps a line as the first about these. */
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

/** The keys of one part, and the line of each, in one block of memory. */
class Table {
  #places = FIRST_PLACES;
  #words = emptyPlaces(FIRST_PLACES);
  #kept = 0;

  find(key: KeyWords): FirstLine | null {
    const at = this.#placeOf(key);
    const [high = 0, low = 0, line = 0, file = 0] = this.#words.subarray(at + KEY_WORDS, at + WORDS);
    return file === 0 ? null : { content: high * WORD + low, line, file: file - 1 };
  }

  add(key: KeyWords, { content, file, line }: FirstLine): void {
    if (this.#kept >= this.#places * FULLEST) this.#grow();
    this.#words.set([...key, Math.floor(content / WORD), content % WORD, line, file + 1], this.#placeOf(key));
    this.#kept += 1;
  }

  /** Where a key stands, or the empty place where it would. */
  #placeOf([first, second, third]: KeyWords): number {
    const words = this.#words;
    // The first word has told the table.
    let at = (second % this.#places) * WORDS;
    while (words[at + WORDS - 1] !== 0) {
      if (words[at] === first && words[at + 1] === second && words[at + 2] === third) return at;
      at += WORDS;
      if (at === words.length) at = 0;
    }
    return at;
  }

  #grow(): void {
    const before = this.#words;
    this.#places = Math.ceil(this.#places * GROWTH);
    this.#words = emptyPlaces(this.#places);
    for (let at = 0; at < before.length; at += WORDS) {
      if (before[at + WORDS - 1] === 0) continue;
      const [first = 0, second = 0, third = 0] = before.subarray(at, at + KEY_WORDS);
      this.#words.set(before.subarray(at, at + WORDS), this.#placeOf([first, second, third]));
    }
  }
}

/**
 * On pages of their own, as an array that could grow has them: what is left behind goes back to the system at once, where of
 * ordinary blocks of this size the process would keep a hundred megabytes to the end of the import.
 */
function emptyPlaces(places: number): Uint32Array {
  const maxByteLength = places * WORDS * Uint32Array.BYTES_PER_ELEMENT;
  return new Uint32Array(new ArrayBuffer(maxByteLength, { maxByteLength }), 0, places * WORDS);
}

/** 48 bits of a line's hash. */
export function contentOf(text: string | null): number {
  return hash('sha1', text ?? '', 'buffer').readUIntBE(0, 6);
}

function wordsOf(key: string): KeyWords {
  const digest = hash('sha1', key, 'buffer');
  return [digest.readUInt32BE(0), digest.readUInt32BE(4), digest.readUInt32BE(8)];
}
