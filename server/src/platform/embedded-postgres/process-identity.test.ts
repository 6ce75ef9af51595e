import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAlive, processStamp, programOf, runsInFolder } from './process-identity.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trust-directory-identity-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe.runIf(process.platform === 'linux')('a process works in a folder', () => {
  it('while it lives there', async () => {
    const child = spawn('sleep', ['60'], { cwd: folder });
    try {
      await once(child, 'spawn');

      expect(runsInFolder(child.pid ?? 0, folder)).toBe(true);
      expect(runsInFolder(child.pid ?? 0, tmpdir())).toBe(false);
    } finally {
      child.kill('SIGKILL');
      await once(child, 'close');
    }
    expect(runsInFolder(child.pid ?? 0, folder)).toBe(false);
  });

  it('no more once it has ended, also while its parent takes no note and its id counts as alive', async () => {
    const program = join(folder, 'postgres');
    await copyFile('/bin/cat', program);
    // `sleep` never collects its ended children; a shell may.
    const script = `exec 3<&0; "${program}" <&3 & echo $!; exec sleep 60`;
    const parent = spawn('sh', ['-c', script], { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] });
    try {
      const [line] = await once(parent.stdout, 'data');
      const ended = Number(String(line));
      while (programOf(parent.pid ?? 0) !== 'sleep' || programOf(ended) !== 'postgres') {
        await new Promise(setImmediate);
      }
      parent.stdin.end();
      while (processStamp(ended) !== 'ended') await new Promise(setImmediate);

      expect([isAlive(ended), programOf(ended)]).toEqual([true, 'postgres']);
      expect(runsInFolder(ended, folder)).toBe(false);
    } finally {
      parent.kill('SIGKILL');
      await once(parent, 'close');
    }
  });
});
