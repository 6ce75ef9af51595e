import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { connect } from '../server/src/database/connect.ts';
import { openEmbeddedPostgres } from '../server/src/database/embedded-postgres.ts';
import { startServer } from '../server/testing/server-process.ts';

const COMMAND_LINE = fileURLToPath(new URL('../server/dist/cli.js', import.meta.url));
/** A folder of listings in the format of `npm run import`; without one the sample is what there is. */
const FOLDER = process.env.LISTINGS_DIR;
const NO_LIMITS = { RATE_LIMIT_PUBLIC_PER_MINUTE: '0', RATE_LIMIT_METERED_PER_MINUTE: '0' };

/** A server of its own without rate limits, with the sample or with all of that folder; it ends with the work. */
export async function withServer(settings, work) {
  const folder = await mkdtemp(join(tmpdir(), 'trust-directory-bench-'));
  // As root, the embedded database runs as another user, who has to pass through.
  await chmod(folder, 0o711);
  const dataDir = join(folder, 'data');
  const environment = { DATA_DIR: dataDir, ...NO_LIMITS, ...settings };
  const server = await startServer(environment, { entry: 'real', cwd: folder });
  try {
    if (FOLDER) {
      const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.ndjson'));
      const args = [COMMAND_LINE, 'import', ...files.map((name) => join(FOLDER, name))];
      const env = { ...process.env, ...environment };
      await promisify(execFile)(process.execPath, args, { env, cwd: folder, maxBuffer: 1e9 });
    }
    await work(server, dataDir);
  } finally {
    await server.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  }
}

/** The same, with a way into its database. */
export function withServerAndDatabase(settings, work) {
  return withServer(settings, async ({ baseUrl }, dataDir) => {
    const postgres = await openEmbeddedPostgres(dataDir);
    const database = connect(postgres.url, { statementTimeoutMs: 600_000 });
    await work(baseUrl, postgres.url, database).finally(async () => {
      await database.close();
      await postgres.stop();
    });
  });
}
