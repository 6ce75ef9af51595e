import { open, readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { MAX_LINE_BYTES, readLines } from '../import/read-lines.ts';
import { ImportRefused } from '../import/source-files.ts';
import { isOsvRecord } from './parse-osv.ts';

/** A path with OSV records: a folder of `.json` files, a file with one record per line, or a file of one record. */
export interface OsvSource {
  readonly path: string;
  readonly form: 'folder' | 'lines' | 'document';
  /** Size for progress: the number of files of a folder, otherwise bytes. */
  readonly size: number;
  /** Files of a folder, in order. */
  readonly files: readonly string[];
}

/** Text of one record with its position. `text` is null if it cannot be read, and `problem` says why. */
export interface OsvText {
  /** Name of the file in messages. */
  readonly file: string;
  readonly line: number;
  readonly text: string | null;
  readonly problem: string | null;
  readonly excerpt: string;
  /** Part of the source's size that has been read up to here. */
  readonly read: number;
}

/**
 * Separates paths with OSV records from other files to import, by their content. Throws ImportRefused for an archive,
 * and for a folder without records.
 */
export async function separateOsv(paths: readonly string[]): Promise<{ osv: OsvSource[]; others: string[] }> {
  const osv: OsvSource[] = [];
  const others: string[] = [];
  for (const path of new Set(paths)) {
    const source = await recogniseOsv(path);
    if (source === null) others.push(path);
    else osv.push(source);
  }
  return { osv, others };
}

async function recogniseOsv(path: string): Promise<OsvSource | null> {
  // The import of rows reports paths that cannot be read.
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) return readFolder(path);
  if (!found?.isFile()) return null;
  const form = await formOf(path, found.size);
  return form && { path, form, size: found.size, files: [] };
}

/** Number of files of a folder of which one must be a record. */
const FILES_TO_RECOGNISE = 100;

async function readFolder(path: string): Promise<OsvSource> {
  const names = await readdir(path, { recursive: true });
  const files = names.filter((name) => name.endsWith('.json')).sort();
  // A folder that was named by mistake would otherwise become a list of rejects.
  for (const name of files.slice(0, FILES_TO_RECOGNISE)) {
    const { text } = await readDocument(join(path, name));
    if (text !== null && isRecordText(text)) return { path, form: 'folder', size: files.length, files };
  }
  throw new ImportRefused(`${path} has no OSV records: name a folder of them, or files to import`);
}

/** First bytes of a zip archive. */
const ARCHIVE = 'PK\u0003\u0004';

async function formOf(path: string, size: number): Promise<'lines' | 'document' | null> {
  const handle = await open(path, 'r').catch(() => null);
  if (handle === null) return null;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_LINE_BYTES), 0, MAX_LINE_BYTES, 0);
    const text = buffer
      .subarray(0, bytesRead)
      .toString('utf8')
      .replace(/^\uFEFF/, '')
      .trimStart();
    if (text.startsWith(ARCHIVE))
      throw new ImportRefused(`${path} is an archive: unpack it, and name the folder with its files`);
    const [firstLine = ''] = text.split('\n', 1);
    if (isRecordText(firstLine))
      return size > bytesRead || text.trimEnd().includes('\n') ? 'lines' : 'document';
    return text.startsWith('{') && size <= MAX_LINE_BYTES && isRecordText(text) ? 'document' : null;
  } finally {
    await handle.close();
  }
}

function isRecordText(text: string): boolean {
  try {
    return isOsvRecord(JSON.parse(text));
  } catch {
    return false;
  }
}

/** Streams the records of a source as texts. */
export async function* readOsvTexts(source: OsvSource): AsyncGenerator<OsvText> {
  const { path, form, size, files } = source;
  const file = basename(path);
  if (form === 'lines') {
    for await (const line of readLines(path))
      yield { ...line, file, line: line.number, read: line.next.byteOffset };
  } else if (form === 'document') {
    yield { ...(await readDocument(path)), file, read: size };
  } else {
    for (let first = 0; first < files.length; first += FILES_AT_ONCE) {
      const names = files.slice(first, first + FILES_AT_ONCE);
      const read = await Promise.all(names.map((name) => readDocument(join(path, name))));
      for (const [index, document] of read.entries())
        yield { ...document, file: join(file, names[index] ?? ''), read: first + index + 1 };
    }
  }
}

/** Number of files of a folder that are read concurrently. */
const FILES_AT_ONCE = 32;
const EXCERPT_CHARACTERS = 300;

async function readDocument(path: string): Promise<Omit<OsvText, 'file' | 'read'>> {
  const content = await readFile(path);
  const excerpt = content.subarray(0, EXCERPT_CHARACTERS).toString('utf8').toWellFormed();
  if (content.length > MAX_LINE_BYTES) {
    return { line: 1, text: null, problem: `longer than ${MAX_LINE_BYTES} bytes`, excerpt };
  }
  return { line: 1, text: content.toString('utf8').replace(/^\uFEFF/, ''), problem: null, excerpt };
}
