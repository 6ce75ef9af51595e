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
const FIRST_PLACES = 1 << 14;
const FULLEST = 0.7;
const WORD = 2 ** 32;

/**
 * Which line was the first about each thing, for millions of them: 28 bytes a place, in one block of memory, where a map of
 * texts would take ten times as much.
 */
export class FirstLines {
  #places = FIRST_PLACES;
  #words = new Uint32Array(FIRST_PLACES * WORDS);
  #kept = 0;

  /** The first line about any of these; null where there is none. */
  find(keys: readonly string[]): FirstLine | null {
    for (const key of keys) {
      const at = this.#placeOf(wordsOf(key));
      const file = this.#words[at + KEY_WORDS + 3] ?? 0;
      if (file === 0) continue;
      const [high = 0, low = 0, line = 0] = this.#words.subarray(at + KEY_WORDS, at + KEY_WORDS + 3);
      return { content: high * WORD + low, line, file: file - 1 };
    }
    return null;
  }

  /** Keeps a line as the first about these. */
  add(keys: readonly string[], { content, file, line }: FirstLine): void {
    for (const key of keys) {
      if (this.#kept >= this.#places * FULLEST) this.#grow();
      const words = wordsOf(key);
      const at = this.#placeOf(words);
      this.#words.set([...words, Math.floor(content / WORD), content % WORD, line, file + 1], at);
      this.#kept += 1;
    }
  }

  /** Where a key stands, or the empty place where it would. */
  #placeOf(key: ArrayLike<number>): number {
    const words = this.#words;
    let at = ((key[0] ?? 0) % this.#places) * WORDS;
    while (words[at + WORDS - 1] !== 0) {
      if (words[at] === key[0] && words[at + 1] === key[1] && words[at + 2] === key[2]) return at;
      at += WORDS;
      if (at === words.length) at = 0;
    }
    return at;
  }

  #grow(): void {
    const before = this.#words;
    this.#places *= 2;
    this.#words = new Uint32Array(this.#places * WORDS);
    for (let at = 0; at < before.length; at += WORDS) {
      if (before[at + WORDS - 1] === 0) continue;
      const entry = before.subarray(at, at + WORDS);
      this.#words.set(entry, this.#placeOf(entry));
    }
  }
}

/** 48 bits of a line's hash. */
export function contentOf(text: string | null): number {
  return hash('sha1', text ?? '', 'buffer').readUIntBE(0, 6);
}

function wordsOf(key: string): number[] {
  const digest = hash('sha1', key, 'buffer');
  return [digest.readUInt32BE(0), digest.readUInt32BE(4), digest.readUInt32BE(8)];
}
