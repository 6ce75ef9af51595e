import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importFiles } from '../../src/intake/import/import-files.ts';
import type { ImportSummary } from '../../src/intake/import/import-summary.ts';
import type { Reject } from '../../src/intake/import/rejects-file.ts';
import type { Database } from '../../src/platform/database/connect.ts';
import { embeddedBackend } from '../../src/scoring/embedded/embedded-backend.ts';
import type { ScoringBackend } from '../../src/scoring/scoring-backend.ts';
import { createFilledDatabase, createTestDatabase, type TestDatabase } from '../database.ts';
import type { Row } from './rows.ts';

/** A new database and folder for the imports of one test. */
export interface ImportWorkspace {
  readonly database: Database;
  /** URL of the database. */
  readonly url: string;
  /** Output, line by line. */
  readonly shown: string[];
  /** Writes a file of rows, or of literal lines, and returns its path. */
  file(rows: readonly (Row | string)[]): Promise<string>;
  run(
    files: readonly string[],
    options?: { signal?: AbortSignal; backend?: ScoringBackend; readAt?: Date },
  ): Promise<ImportSummary>;
  /** Writes rows to a file and imports it. */
  store(...rows: readonly (Row | string)[]): Promise<ImportSummary>;
  rejects(): Promise<Reject[]>;
  /** Makes the workspace as new for the next test of the file. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

/** Imports that a workspace begins with. They are made once per worker. */
interface Imported {
  /** Rows or paths of files that were imported. */
  readonly imported?: readonly (Row | string)[];
  /** A named function that changes the database before they are imported, for instance its clock. */
  readonly before?: (database: Database) => Promise<unknown>;
  /** A named function that changes it afterwards. */
  readonly after?: (database: Database) => Promise<unknown>;
}

/** Creates a workspace; `close` deletes its database and folder. */
export async function createImportWorkspace(already: Imported = {}): Promise<ImportWorkspace> {
  return openWorkspace(await (already.imported ? createImported(already) : createTestDatabase()));
}

function createImported({ imported = [], before, after }: Imported): Promise<TestDatabase> {
  // The text of a function is part of the key, because names of different functions may be equal.
  const key = `imported ${JSON.stringify(imported)} ${before?.name} ${before} ${after?.name} ${after}`;
  return createFilledDatabase(key, async ({ database, url }) => {
    const work = await openWorkspace({ database, url, empty: nothing, close: nothing });
    await before?.(database);
    const isPath = (each: Row | string): each is string => typeof each === 'string';
    const rows = imported.filter((each) => !isPath(each));
    const files = [...imported.filter(isPath), ...(rows.length > 0 ? [await work.file(rows)] : [])];
    await work.run(files).finally(work.close);
    await after?.(database);
  });
}

const nothing = async () => undefined;

async function openWorkspace({ database, url, empty, close }: TestDatabase): Promise<ImportWorkspace> {
  const folder = await mkdtemp(join(tmpdir(), 'import-'));
  const rejectsPath = join(folder, 'rejects.ndjson');
  const shown: string[] = [];
  let files = 0;
  const file = async (rows: readonly (Row | string)[]) => {
    files += 1;
    const path = join(folder, `${files}.ndjson`);
    await writeFile(
      path,
      rows.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`).join(''),
    );
    return path;
  };
  const output = { write: (text: string) => shown.push(...text.trimEnd().split('\n')) };
  const run: ImportWorkspace['run'] = (paths, { backend = embeddedBackend, ...options } = {}) =>
    importFiles(database, backend, paths, { rejectsPath, output, ...options });
  return {
    database,
    url,
    shown,
    file,
    run,
    store: async (...rows) => run([await file(rows)]),
    rejects: async () => {
      const text = await readFile(rejectsPath, 'utf8').catch(() => '');
      return text === ''
        ? []
        : text
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line) as Reject);
    },
    empty: async () => {
      await empty();
      shown.length = 0;
      await rm(rejectsPath, { force: true });
    },
    close: async () => {
      await close();
      await rm(folder, { recursive: true });
    },
  };
}
