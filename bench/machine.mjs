import { execFile } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';
import { promisify } from 'node:util';
import { whole } from './figures.ts';

const GB = 2 ** 30;

/** Describes in one sentence what the figures depend on: versions, machine, data and commit. */
export async function describeMachine(database) {
  const [{ postgres, total }] = await database.query(
    "SELECT current_setting('server_version') AS postgres, (SELECT count(*)::int FROM listing) AS total",
  );
  const versions = `Node ${process.versions.node}, PostgreSQL ${postgres.split(' ')[0]}`;
  const cores = `${cpus().length} cores (${cpus()[0]?.model.trim()})`;
  const memory = `${Math.round(totalmem() / GB)} GB`;
  const load = `load ${loadavg()[0].toFixed(1)} before`;
  return `${versions}; ${cores}, ${memory}, ${load}; ${whole(total)} listings; commit ${await commit()}.`;
}

/** Returns the measured commit, marked if the work tree has changes. */
async function commit() {
  const git = (...args) => promisify(execFile)('git', args, { cwd: import.meta.dirname });
  try {
    const { stdout: id } = await git('rev-parse', '--short', 'HEAD');
    const { stdout: changes } = await git('status', '--porcelain');
    return id.trim() + (changes === '' ? '' : ' with changes');
  } catch {
    return 'unknown';
  }
}
