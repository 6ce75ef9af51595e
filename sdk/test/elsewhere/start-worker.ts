import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type WorkerModule, workerConfig } from './worker-config.ts';

/** Starts a worker in workerd, and stops it when the test ends. Returns its URL; rejects with workerd's output. */
export async function startWorker(
  workerd: string,
  modules: readonly WorkerModule[],
  bindings: Record<string, string>,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trust-directory-worker-'));
  const config = join(folder, 'worker.capnp');
  await writeFile(config, workerConfig(modules, bindings));
  // workerd prints its address to standard output, one JSON object per line.
  const args = ['serve', config, '--import-path=/', '--control-fd=1'];
  const child = spawn(workerd, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.once('data', (line) => resolve(JSON.parse(String(line)).port));
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`workerd ended: ${complaint}`)));
  });
  return `http://127.0.0.1:${port}`;
}
