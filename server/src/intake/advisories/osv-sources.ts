import { open, readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { MAX_LINE_BYTES, readLines } from '../import/read-lines.ts';
import { ImportRefused } from '../import/source-files.ts';
import { isAboutAdvisories } from './parse-advisories.ts';
import { readArchive } from './zip-archive.ts';

/**
 * A path with records about advisories: a folder of `.json` files, an archive of them, a file with one record per line,
 * or a file of one document.
 */
export interface OsvSource {
  readonly path: string;
  readonly form: 'folder' | 'archive' | 'lines' | 'document';
  /** Size for progress: the number of files of a folder, otherwise bytes. */
  readonly size: number;
  /** Names of the `.json` files of a folder, sorted; empty for other forms. */
  readonly files: readonly string[];
  /** Path of the folder's index, which says when each record was last changed; null without one. */
  readonly index: string | null;
}

/** Text of one document with its position. `text` is null if it cannot be read, and `problem` says why. */
export interface OsvText {
  /** Name of the file in messages. */
  readonly file: string;
  readonly line: number;
  readonly text: string | null;
  readonly problem: string | null;
  readonly excerpt: string;
  /** Part of the source's `size` that has been read, including this document. */
  readonly read: number;
}

/** Name of the index that OSV publishes with the records of an ecosystem. */
export const INDEX_NAME = 'modified_id.csv';
/**
 * Maximum bytes of a file with one document. A record is smaller than MAX_LINE_BYTES, but an exposure catalogue may
 * have thousands of entries.
 */
const MAX_DOCUMENT_BYTES = 8 * MAX_LINE_BYTES;

/**
 * Separates paths with records about advisories from other files to import, by their content. Throws ImportRefused for
 * a folder or an archive without records among its first 100 documents.
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
  // Ignores a path that cannot be read, because the import of rows reports it.
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) return readFolder(path);
  if (!found?.isFile()) return null;
  // The path of an index stands for the folder with its records.
  if (basename(path) === INDEX_NAME) return readFolder(dirname(path));
  const form = await formOf(path, found.size);
  return form && { path, form, size: found.size, files: [], index: null };
}

/** Maximum files of a folder or archive that are examined; at least one of them must be a record. */
const FILES_TO_RECOGNISE = 100;

async function readFolder(path: string): Promise<OsvSource> {
  const names = await readdir(path, { recursive: true });
  const files = names.filter(isDocumentName).sort();
  const index = names.includes(INDEX_NAME) ? join(path, INDEX_NAME) : null;
  // Examines some files first. Otherwise every file of a folder that was named by mistake would be rejected one by one.
  for (const name of files.slice(0, FILES_TO_RECOGNISE)) {
    const { text } = await readDocument(join(path, name));
    if (text !== null && isRecordText(text))
      return { path, form: 'folder', size: files.length, files, index };
  }
  throw new ImportRefused(`${path} has no OSV records: name a folder of them, or files to import`);
}

function isDocumentName(name: string): boolean {
  return name.endsWith('.json');
}

/** First bytes of a zip archive. */
const ARCHIVE = 'PK\u0003\u0004';

async function formOf(path: string, size: number): Promise<OsvSource['form'] | null> {
  const handle = await open(path, 'r').catch(() => null);
  if (handle === null) return null;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_LINE_BYTES), 0, MAX_LINE_BYTES, 0);
    const text = buffer
      .subarray(0, bytesRead)
      .toString('utf8')
      .replace(/^\uFEFF/, '')
      .trimStart();
    if (text.startsWith(ARCHIVE)) return await requireRecords(path);
    const [firstLine = ''] = text.split('\n', 1);
    if (isRecordText(firstLine))
      return size > bytesRead || text.trimEnd().includes('\n') ? 'lines' : 'document';
    if (!text.startsWith('{') || size > MAX_DOCUMENT_BYTES) return null;
    const whole = size <= bytesRead ? text : (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
    return isRecordText(whole) ? 'document' : null;
  } finally {
    await handle.close();
  }
}

async function requireRecords(path: string): Promise<'archive'> {
  let looked = 0;
  for await (const { content } of readArchive(path, isDocumentName, MAX_DOCUMENT_BYTES)) {
    if (content !== null && isRecordText(content.toString('utf8'))) return 'archive';
    looked += 1;
    if (looked === FILES_TO_RECOGNISE) break;
  }
  throw new ImportRefused(`${path} has no OSV records: name an archive of them, or files to import`);
}

function isRecordText(text: string): boolean {
  try {
    return isAboutAdvisories(JSON.parse(text));
  } catch {
    return false;
  }
}

/** Streams the documents of a source as texts. */
export async function* readOsvTexts(source: OsvSource): AsyncGenerator<OsvText> {
  const { path, form, size, files } = source;
  const file = basename(path);
  if (form === 'lines') {
    for await (const line of readLines(path))
      yield { ...line, file, line: line.number, read: line.next.byteOffset };
  } else if (form === 'document') {
    yield { ...(await readDocument(path)), file, read: size };
  } else if (form === 'archive') {
    for await (const { name, content, problem, position } of readArchive(
      path,
      isDocumentName,
      MAX_DOCUMENT_BYTES,
    ))
      yield { ...documentOf(content, problem), file: join(file, name), read: position };
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
  const { size } = await stat(path);
  if (size > MAX_DOCUMENT_BYTES) return documentOf(null, `longer than ${MAX_DOCUMENT_BYTES} bytes`);
  return documentOf(await readFile(path), null);
}

function documentOf(content: Buffer | null, problem: string | null): Omit<OsvText, 'file' | 'read'> {
  if (content === null) return { line: 1, text: null, problem, excerpt: '' };
  const excerpt = content.subarray(0, EXCERPT_CHARACTERS).toString('utf8').toWellFormed();
  return { line: 1, text: content.toString('utf8').replace(/^\uFEFF/, ''), problem, excerpt };
}

/** Line of an index. `entry` is a record and when the database last changed it; null if the line is invalid. */
export interface IndexLine {
  readonly line: number;
  readonly excerpt: string;
  readonly entry: { readonly id: string; readonly modifiedMs: number } | null;
}

/** Ecosystems whose records are stored, as the index of all ecosystems writes them before an id: `npm/MAL-2025-1`. */
const INDEXED_ECOSYSTEMS: readonly string[] = ['npm', 'PyPI'];

/** Streams the lines `modified,ID` of an index. Records of ecosystems that are not stored are left out. */
export async function* readIndex(path: string): AsyncGenerator<IndexLine> {
  for await (const { number, text, excerpt } of readLines(path)) {
    const [modified = '', named = '', ...more] = (text ?? '').split(',').map((part) => part.trim());
    const [ecosystem, id = ecosystem] = named.includes('/') ? named.split('/') : [undefined, named];
    if (ecosystem !== undefined && !INDEXED_ECOSYSTEMS.includes(ecosystem)) continue;
    const modifiedMs = Date.parse(modified);
    const isValid = more.length === 0 && /^[\w.:-]+$/.test(id ?? '') && !Number.isNaN(modifiedMs);
    yield { line: number, excerpt, entry: isValid && id !== undefined ? { id, modifiedMs } : null };
  }
}
