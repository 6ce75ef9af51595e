import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readFile, rename, rm, stat } from 'node:fs/promises';
import type { Rejection } from '../registry/listings/listing-row.ts';
import { ImportRefused } from './import-refused.ts';

/** One line that was not stored, as the rejects file tells it. */
export interface Reject extends Rejection {
  file: string;
  line: number;
  /** The beginning of the line. */
  row: string;
}

/**
 * The rejects of one import, as newline-delimited JSON. While the files are being looked through they go to a file
 * beside it: only then is it known whether an earlier run of the same import is to be continued.
 */
export class RejectsFile {
  readonly path: string;
  readonly #draftPath: string;
  #handle: FileHandle | null = null;
  #draft: FileHandle | null = null;
  #bytes = 0;
  #buffered: string[] = [];

  constructor(path: string) {
    this.path = path;
    this.#draftPath = `${path}.part`;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Notes a reject of the first look. */
  async addDraft(reject: Reject): Promise<void> {
    this.#buffered.push(lineOf(reject));
    if (this.#buffered.length >= 1000) await this.#flushDraft();
  }

  /** A new import: what the first look found is the beginning of the rejects, and an earlier import's go. */
  async begin(): Promise<void> {
    await this.#flushDraft();
    await refuseForeignFile(this.path);
    if (this.#draft === null) {
      await rm(this.path, { force: true });
      return;
    }
    await this.#draft.close();
    this.#draft = null;
    await rename(this.#draftPath, this.path);
    this.#bytes = (await stat(this.path)).size;
  }

  /**
   * An interrupted import goes on: whatever was written after its last saved batch is cut off. False where the file
   * does not hold that much any more.
   */
  async resume(bytes: number): Promise<boolean> {
    const size = await stat(this.path).then(
      (file) => file.size,
      () => 0,
    );
    if (size < bytes) return false;
    await this.#dropDraft();
    if (size > bytes) {
      this.#handle = await open(this.path, constants.O_RDWR);
      await this.#handle.truncate(bytes);
    }
    this.#bytes = bytes;
    return true;
  }

  /** How long the file is once these are appended. */
  bytesWith(rejects: readonly Reject[]): number {
    return this.#bytes + Buffer.byteLength(rejects.map(lineOf).join(''));
  }

  async append(rejects: readonly Reject[]): Promise<void> {
    if (rejects.length === 0) return;
    this.#handle ??= await open(this.path, constants.O_RDWR | constants.O_CREAT);
    const text = Buffer.from(rejects.map(lineOf).join(''));
    await this.#handle.write(text, 0, text.length, this.#bytes);
    this.#bytes += text.length;
  }

  /** Closes what is open; a draft that came to nothing goes. */
  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = null;
    await this.#dropDraft();
  }

  async #flushDraft(): Promise<void> {
    if (this.#buffered.length === 0) return;
    this.#draft ??= await open(this.#draftPath, 'w');
    await this.#draft.appendFile(this.#buffered.join(''));
    this.#buffered = [];
  }

  async #dropDraft(): Promise<void> {
    this.#buffered = [];
    if (this.#draft === null) return;
    await this.#draft.close();
    this.#draft = null;
    await rm(this.#draftPath, { force: true });
  }
}

function lineOf({ file, line, code, reason, row }: Reject): string {
  return `${JSON.stringify({ file, line, code, reason, row })}\n`;
}

/** Keeps a mistyped option from costing somebody a file, or the system a device, of their own. */
async function refuseForeignFile(path: string): Promise<void> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (found === null) return;
  if (!found.isFile()) {
    throw new ImportRefused(`${path} is not an ordinary file: name another one for the rejects`);
  }
  const text = await readFile(path, 'utf8');
  if (text !== '' && !text.startsWith('{"file":')) {
    throw new ImportRefused(
      `${path} is there already and holds no rejects of an import: name another file for them`,
    );
  }
}
