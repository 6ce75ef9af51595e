import { createReadStream } from 'node:fs';

const NEWLINE = 0x0a;
/** Maximum bytes of a line. A longer line is rejected, and its further bytes are not held in memory. */
export const MAX_LINE_BYTES = 1_048_576;
const EXCERPT_CHARACTERS = 300;

/** A non-blank line. `text` is null if it cannot be read, and `problem` says why. */
export interface Line {
  /** Line number from 1, including blank lines. */
  number: number;
  text: string | null;
  problem: string | null;
  /** Beginning of the line as well-formed text, whatever the line contains. */
  excerpt: string;
  /** Position of the next line. */
  next: FilePosition;
}

/** A position between two lines of a file: the number and the byte offset of the line that follows. */
export interface FilePosition {
  line: number;
  byteOffset: number;
}

/** Position before the first line. */
export const FILE_START: FilePosition = { line: 1, byteOffset: 0 };

/**
 * Streams the wanted lines of a UTF-8 file from a position. Accepts a byte order mark, CRLF, blank lines, and a last
 * line without a line break.
 */
export async function* readLines(
  path: string,
  from: FilePosition = FILE_START,
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

/** Collects the chunks of one line; bytes beyond the maximum are dropped. */
class LineBuffer {
  #pieces: Buffer[] = [];
  #heldBytes = 0;
  #bytes = 0;
  #position: FilePosition;
  readonly #isWanted: (number: number) => boolean;

  constructor(from: FilePosition, isWanted: (number: number) => boolean) {
    this.#position = from;
    this.#isWanted = isWanted;
  }

  add(piece: Buffer): void {
    this.#bytes += piece.length;
    const held = piece.subarray(0, MAX_LINE_BYTES + 1 - this.#heldBytes);
    if (held.length === 0) return;
    this.#pieces.push(held);
    this.#heldBytes += held.length;
  }

  /** Returns the collected line; null if it is blank or not wanted. `endBytes` is the length of its line break. */
  finish(endBytes: number): Line | null {
    const { line: number, byteOffset } = this.#position;
    const next = { line: number + 1, byteOffset: byteOffset + this.#bytes + endBytes };
    const [first = EMPTY, ...others] = this.#pieces;
    const isTooLong = this.#bytes > MAX_LINE_BYTES;
    this.#pieces = [];
    this.#heldBytes = 0;
    this.#bytes = 0;
    this.#position = next;
    if (!this.#isWanted(number)) return null;
    // Avoids a copy for most lines, which are within one chunk.
    const content = others.length === 0 ? first : Buffer.concat([first, ...others]);
    if (isTooLong) {
      const problem = `longer than ${MAX_LINE_BYTES} bytes`;
      return { number, text: null, problem, excerpt: excerptOf(content), next };
    }
    return readLine(content, number, next);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function readLine(content: Buffer, number: number, next: FilePosition): Line | null {
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
