import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import {
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from '../src/platform/embedded-postgres/embedded-postgres.ts';
import { readPostmaster } from '../src/platform/embedded-postgres/server-processes.ts';
import { memoryFolder } from './memory-folder.ts';
import { type NodeProcess, startNode } from './node-process.ts';

/** Data folder that was opened and closed once; copying it is much faster than creating one. */
export interface PreparedFolder {
  /** Creates a workspace for one test, without a data folder. */
  workspace(): Promise<EmbeddedWorkspace>;
  remove(): Promise<void>;
}

/** Folder in which a test runs embedded servers. */
export interface EmbeddedWorkspace {
  /** Path for DATA_DIR, which does not exist yet. */
  readonly root: string;
  /** PostgreSQL's data folder within it. */
  readonly folder: string;
  /** Copies the prepared data folder to `root`, with owners and modes. */
  usePrepared(): Promise<void>;
  /** Opens it in this process; `close` stops what the test leaves. */
  open(): Promise<EmbeddedPostgres>;
  /**
   * Starts a process that opens it, reports the result, and stops gracefully on SIGTERM and SIGINT, after `onSignal`.
   */
  openElsewhere(onSignal?: string): NodeProcess;
  /** Resolves when no server runs there; throws after more than a minute, which only a hanging server takes. */
  untilGone(): Promise<void>;
  close(): Promise<void>;
}

const unusedFolder = async (): Promise<string> => {
  const path = await mkdtemp(join(memoryFolder(), 'trust-directory-embedded-'));
  await rm(path, { recursive: true });
  return path;
};

/** Creates the folder that the tests of a file copy. */
export async function prepareFolder(): Promise<PreparedFolder> {
  const prepared = await unusedFolder();
  await (await openEmbeddedPostgres(prepared)).stop();
  return {
    workspace: async () => createWorkspace(prepared, await unusedFolder()),
    remove: () => rm(prepared, { recursive: true }),
  };
}

function createWorkspace(prepared: string, root: string): EmbeddedWorkspace {
  const folder = join(root, 'postgres');
  const opened: EmbeddedPostgres[] = [];
  const processes: NodeProcess[] = [];
  const untilGone = async () => {
    for (let tries = 0; readPostmaster(folder); tries += 1) {
      if (tries > 4_000) throw new Error('the server still runs');
      await wait(25);
    }
  };
  return {
    root,
    folder,
    untilGone,
    async usePrepared() {
      await promisify(execFile)('cp', ['-a', prepared, root]);
    },
    async open() {
      const embedded = await openEmbeddedPostgres(root);
      opened.push(embedded);
      return embedded;
    },
    openElsewhere(onSignal = '') {
      const child = startNode({ script: openingScript(root, onSignal) });
      processes.push(child);
      return child;
    },
    async close() {
      for (const child of processes) {
        child.signal('SIGKILL');
        await child.ended;
      }
      for (const embedded of opened) await embedded.stop();
      const left = readPostmaster(folder);
      if (left) process.kill(left.pid, 'SIGQUIT');
      await untilGone();
      await rm(root, { recursive: true, force: true });
    },
  };
}

function openingScript(root: string, onSignal: string): string {
  const built = new URL('../dist/platform/embedded-postgres/embedded-postgres.js', import.meta.url).href;
  return `
    const { openEmbeddedPostgres } = await import(${JSON.stringify(built)});
    const { default: pg } = await import('pg');
    const embedded = await openEmbeddedPostgres(${JSON.stringify(root)});
    const query = async (sql) => {
      const client = new pg.Client({ connectionString: embedded.url });
      await client.connect();
      const { rows } = await client.query(sql);
      await client.end();
      return rows;
    };
    const keepAlive = setInterval(() => undefined, 1000);
    const end = async () => {
      ${onSignal}
      await embedded.stop();
      clearInterval(keepAlive);
      console.log('stopped');
    };
    process.once('SIGTERM', end);
    process.once('SIGINT', end);
    console.log('ready ' + JSON.stringify({ url: embedded.url, startedHere: embedded.startedHere }));`;
}

/** Reads what a process of `openElsewhere` reports when its server is ready. */
export async function readyState(child: NodeProcess): Promise<{ url: string; startedHere: boolean }> {
  const match = await child.waitFor(/^ready (.*)$/m);
  return JSON.parse(match[1] ?? '');
}

/** Returns the rows of a statement, run on a new connection. */
export async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
