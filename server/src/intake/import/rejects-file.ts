import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readFile, rename, rm, stat } from 'node:fs/promises';
import type { Rejection } from '../../catalog/listings/listing-row.ts';
import { ImportRefused } from './source-files.ts';

/** Path of the rejects file unless another one is chosen. */
export const DEFAULT_REJECTS_PATH = './import-rejects.ndjson';

/** An entry of the rejects file for a line that was not stored. */
export interface Reject extends Rejection {
  file: string;
  line: number;
  /** Beginning of the line. */
  row: string;
}

/**
 * Writes the rejects of one import as newline-delimited JSON. During the scan, rejects go to a draft file (`.part`),
 * because the end of the scan decides what happens to them. A new import turns the draft into its rejects file. A
 * resumed import drops the draft and appends to its existing rejects file.
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

  /** Adds a reject of the scan to the draft. */
  async addDraft(reject: Reject): Promise<void> {
    this.#buffered.push(lineOf(reject));
    if (this.#buffered.length >= 1000) await this.#flushDraft();
  }

  /** Starts the file of a new import from the rejects of the scan; replaces the file of an earlier import. */
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
   * Truncates the file after the entries of the last saved batch, to resume an interrupted import. Returns false if the
   * file is missing or shorter than that.
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

  /** Returns the file's length in bytes after these rejects are appended. */
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

  /** Closes open files and deletes an unused draft. */
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

/**
 * Throws ImportRefused if the path is not a regular file, or is a file with content other than rejects. This keeps a
 * mistyped option from overwriting the file.
 */
async function refuseForeignFile(path: string): Promise<void> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (found === null) return;
  if (!found.isFile()) {
    throw new ImportRefused(`${path} is not a regular file: choose another path with --rejects`);
  }
  const text = await readFile(path, 'utf8');
  if (text !== '' && !text.startsWith('{"file":')) {
    throw new ImportRefused(
      `${path} already exists and is not a rejects file: choose another path with --rejects`,
    );
  }
}
