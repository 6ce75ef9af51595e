import { createReadStream } from 'node:fs';

const NEWLINE = 0x0a;
/** A longer line is refused without being held in memory. */
export const LONGEST_LINE_BYTES = 1_048_576;
const EXCERPT_CHARACTERS = 300;

/** One line that is not blank. `text` is null where it can't be read, and `problem` says why. */
export interface Line {
  /** From 1, blank lines counted. */
  number: number;
  text: string | null;
  problem: string | null;
  /** The beginning of the line, well-formed whatever the line holds. */
  excerpt: string;
  /** Where the next line begins, and its number. */
  next: Place;
}

/** A place between two lines of a file. */
export interface Place {
  line: number;
  byteOffset: number;
}

/** Before the first line. */
export const BEGINNING: Place = { line: 1, byteOffset: 0 };

/**
 * Streams the lines of a UTF-8 file from a place on, those that are wanted by their numbers. A byte order mark, CRLF, blank
 * lines and a last line without its end are all taken as they come.
 */
export async function* readLines(
  path: string,
  from: Place = BEGINNING,
  isWanted: (number: number) => boolean = () => true,
): AsyncGenerator<Line> {
  const line = new LineBuffer(from, isWanted);
  for await (const chunk of createReadStream(path, { start: from.byteOffset }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      line.add(chunk.subarray(start, end));
      start = end + 1;
      const read = line.finish(1);
      if (read !== null) yield read;
    }
    line.add(chunk.subarray(start));
  }
  const last = line.finish(0);
  if (last !== null) yield last;
}

const EMPTY = Buffer.alloc(0);

/** Gathers the pieces of one line, and drops them when it grows too long. */
class LineBuffer {
  #pieces: Buffer[] = [];
  #keptBytes = 0;
  #bytes = 0;
  #place: Place;
  readonly #isWanted: (number: number) => boolean;

  constructor(from: Place, isWanted: (number: number) => boolean) {
    this.#place = from;
    this.#isWanted = isWanted;
  }

  add(piece: Buffer): void {
    this.#bytes += piece.length;
    const kept = piece.subarray(0, LONGEST_LINE_BYTES + 1 - this.#keptBytes);
    if (kept.length === 0) return;
    this.#pieces.push(kept);
    this.#keptBytes += kept.length;
  }

  /** The gathered line, or null where it is blank or not wanted; `endBytes` is the length of its end. */
  finish(endBytes: number): Line | null {
    const { line: number, byteOffset } = this.#place;
    const next = { line: number + 1, byteOffset: byteOffset + this.#bytes + endBytes };
    const [first = EMPTY, ...others] = this.#pieces;
    const isTooLong = this.#bytes > LONGEST_LINE_BYTES;
    this.#pieces = [];
    this.#keptBytes = 0;
    this.#bytes = 0;
    this.#place = next;
    if (!this.#isWanted(number)) return null;
    // Most lines lie in one piece, which is not copied.
    const content = others.length === 0 ? first : Buffer.concat([first, ...others]);
    if (isTooLong) {
      const problem = `longer than ${LONGEST_LINE_BYTES} bytes`;
      return { number, text: null, problem, excerpt: excerptOf(content), next };
    }
    return readLine(content, number, next);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function readLine(content: Buffer, number: number, next: Place): Line | null {
  try {
    const text = utf8.decode(content).trim();
    return text === '' ? null : { number, text, problem: null, excerpt: beginningOf(text), next };
  } catch {
    return { number, text: null, problem: 'not valid UTF-8', excerpt: excerptOf(content), next };
  }
}

function excerptOf(content: Buffer): string {
  return beginningOf(new TextDecoder().decode(content.subarray(0, 4 * EXCERPT_CHARACTERS)).trim());
}

function beginningOf(text: string): string {
  return text.slice(0, EXCERPT_CHARACTERS).toWellFormed();
}
