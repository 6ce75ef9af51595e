import { type FileHandle, open } from 'node:fs/promises';
import { crc32, inflateRawSync } from 'node:zlib';
import { ImportRefused } from '../import/source-files.ts';

/** A file of an archive. `content` is null if it cannot be read, and `problem` says why. */
export interface ArchivedFile {
  readonly name: string;
  readonly content: Buffer | null;
  readonly problem: string | null;
  /** Approximate position in the archive, in bytes, at which the file ends; for progress. */
  readonly position: number;
}

/** Structures of the ZIP format (APPNOTE.TXT), with their signatures and fixed sizes in bytes. */
const END = { signature: 0x06054b50, bytes: 22 };
const ZIP64_LOCATOR = { signature: 0x07064b50, bytes: 20 };
const ZIP64_END = { signature: 0x06064b50, bytes: 56 };
const DIRECTORY_ENTRY = { signature: 0x02014b50, bytes: 46 };
const LOCAL_HEADER = { signature: 0x04034b50, bytes: 30 };
/** Maximum bytes of the comment after the end record. */
const MAX_COMMENT = 0xffff;
/** Marks a field whose real value is in the ZIP64 fields. */
const IN_ZIP64 = 0xffffffff;
/** Maximum bytes of the archive's directory, enough for about three million files. */
const MAX_DIRECTORY_BYTES = 268_435_456;
const STORED = 0;
const DEFLATED = 8;

/**
 * Streams the files of a ZIP archive whose names `isWanted` accepts, in the order of its directory. Files above
 * `maxBytes`, packed or unpacked, are not unpacked, so that an archive cannot fill the memory. Supports only what
 * advisory databases use: stored and deflated files in one volume, with ZIP64 for more than 65,535 files. Throws
 * ImportRefused if the archive has no readable directory.
 */
export async function* readArchive(
  path: string,
  isWanted: (name: string) => boolean,
  maxBytes: number,
): AsyncGenerator<ArchivedFile> {
  const handle = await open(path, 'r');
  try {
    const window = new Window(handle);
    for (const entry of entriesOf(await readDirectory(handle, path))) {
      if (!isWanted(entry.name)) continue;
      const position = entry.offset + entry.packedBytes;
      yield { name: entry.name, position, ...(await unpack(window, entry, maxBytes)) };
    }
  } finally {
    await handle.close();
  }
}

interface ArchiveEntry {
  readonly name: string;
  readonly isEncrypted: boolean;
  readonly method: number;
  readonly checksum: number;
  readonly packedBytes: number;
  readonly bytes: number;
  /** Position of the file's local header. */
  readonly offset: number;
}

async function readDirectory(handle: FileHandle, path: string): Promise<Buffer> {
  const refuse = (why: string) =>
    new ImportRefused(`${path} can't be read as a ZIP archive: ${why}. Download it again`);
  const { size } = await handle.stat();
  const tailAt = Math.max(0, size - END.bytes - MAX_COMMENT - ZIP64_LOCATOR.bytes);
  const tail = await readAt(handle, tailAt, size - tailAt);
  const endAt = findEnd(tail);
  if (endAt === null) throw refuse('its end is missing');
  let bytes = tail.readUInt32LE(endAt + 12);
  let offset = tail.readUInt32LE(endAt + 16);
  const locatorAt = endAt - ZIP64_LOCATOR.bytes;
  if (locatorAt >= 0 && tail.readUInt32LE(locatorAt) === ZIP64_LOCATOR.signature) {
    const zip64 = await readAt(handle, numberAt(tail, locatorAt + 8), ZIP64_END.bytes);
    if (zip64.length < ZIP64_END.bytes || zip64.readUInt32LE(0) !== ZIP64_END.signature)
      throw refuse('its directory is damaged');
    bytes = numberAt(zip64, 40);
    offset = numberAt(zip64, 48);
  }
  if (bytes > MAX_DIRECTORY_BYTES) throw refuse(`its directory is longer than ${MAX_DIRECTORY_BYTES} bytes`);
  if (offset + bytes > size) throw refuse('its directory is incomplete');
  return readAt(handle, offset, bytes);
}

/** Finds the end record. Its comment may contain its signature, so the stated length of the comment must fit. */
function findEnd(tail: Buffer): number | null {
  for (let at = tail.length - END.bytes; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== END.signature) continue;
    if (at + END.bytes + tail.readUInt16LE(at + 20) === tail.length) return at;
  }
  return null;
}

function* entriesOf(directory: Buffer): Generator<ArchiveEntry> {
  for (let at = 0; at + DIRECTORY_ENTRY.bytes <= directory.length; ) {
    if (directory.readUInt32LE(at) !== DIRECTORY_ENTRY.signature) return;
    const nameAt = at + DIRECTORY_ENTRY.bytes;
    const extraAt = nameAt + directory.readUInt16LE(at + 28);
    const commentAt = extraAt + directory.readUInt16LE(at + 30);
    const sizes = [
      directory.readUInt32LE(at + 24),
      directory.readUInt32LE(at + 20),
      directory.readUInt32LE(at + 42),
    ];
    const [bytes = 0, packedBytes = 0, offset = 0] = withZip64(sizes, directory.subarray(extraAt, commentAt));
    yield {
      name: directory.toString('utf8', nameAt, extraAt),
      isEncrypted: (directory.readUInt16LE(at + 8) & 1) === 1,
      method: directory.readUInt16LE(at + 10),
      checksum: directory.readUInt32LE(at + 16),
      packedBytes,
      bytes,
      offset,
    };
    at = commentAt + directory.readUInt16LE(at + 32);
  }
}

/** Replaces values that do not fit into 32 bits by the values of the ZIP64 field, which are in the same order. */
function withZip64(fields: readonly number[], extra: Buffer): number[] {
  if (!fields.includes(IN_ZIP64)) return [...fields];
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    let from = at + 4;
    return fields.map((field) => {
      if (field !== IN_ZIP64 || from + 8 > extra.length) return field;
      from += 8;
      return numberAt(extra, from - 8);
    });
  }
  return [...fields];
}

async function unpack(
  window: Window,
  entry: ArchiveEntry,
  maxBytes: number,
): Promise<Pick<ArchivedFile, 'content' | 'problem'>> {
  const { method, packedBytes, bytes, offset, checksum } = entry;
  if (entry.isEncrypted) return unreadable('encrypted');
  if (method !== STORED && method !== DEFLATED) return unreadable(`packed by the unknown method ${method}`);
  if (Math.max(packedBytes, bytes) > maxBytes) return unreadable(`longer than ${maxBytes} bytes`);
  const header = await window.read(offset, LOCAL_HEADER.bytes);
  if (header.length < LOCAL_HEADER.bytes || header.readUInt32LE(0) !== LOCAL_HEADER.signature)
    return unreadable('not where the directory says');
  const contentAt = offset + LOCAL_HEADER.bytes + header.readUInt16LE(26) + header.readUInt16LE(28);
  const packed = await window.read(contentAt, packedBytes);
  try {
    const content =
      method === STORED ? Buffer.from(packed) : inflateRawSync(packed, { maxOutputLength: maxBytes });
    return crc32(content) === checksum ? { content, problem: null } : unreadable('damaged: wrong checksum');
  } catch {
    return unreadable('damaged: cannot be unpacked');
  }
}

function unreadable(problem: string): Pick<ArchivedFile, 'content' | 'problem'> {
  return { content: null, problem };
}

/** Reads an archive in large pieces, because its files are small and follow each other. */
class Window {
  readonly #handle: FileHandle;
  #start = 0;
  #held: Buffer = Buffer.alloc(0);

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  async read(offset: number, bytes: number): Promise<Buffer> {
    const isHeld = offset >= this.#start && offset + bytes <= this.#start + this.#held.length;
    if (!isHeld) {
      this.#held = await readAt(this.#handle, offset, Math.max(bytes, WINDOW_BYTES));
      this.#start = offset;
    }
    return this.#held.subarray(offset - this.#start, offset - this.#start + bytes);
  }
}

const WINDOW_BYTES = 1_048_576;

async function readAt(handle: FileHandle, offset: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, offset);
  return buffer.subarray(0, bytesRead);
}

function numberAt(buffer: Buffer, at: number): number {
  return Number(buffer.readBigUInt64LE(at));
}
