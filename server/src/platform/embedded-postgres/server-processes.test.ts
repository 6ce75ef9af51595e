import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { copyFile, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAlive, Presence, processStamp, programOf, runsInFolder } from './server-processes.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trust-directory-processes-'));
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

const use = (): Presence => {
  const presence = new Presence(folder);
  presence.announce();
  return presence;
};

it('lets only the last process that leaves stop the server', () => {
  const [first, second] = [use(), use()];

  expect(first.leave()).toBe(false);
  expect(second.leave()).toBe(true);
});

it('shows new processes that the last one is leaving, until the server has stopped', () => {
  const last = use();
  last.leave();
  const newcomer = use();

  const during = newcomer.isAnotherLeaving();
  last.left();

  expect(during).toBe(true);
  expect(newcomer.isAnotherLeaving()).toBe(false);
});

it('does not show a process as leaving if others still use the server', () => {
  const [first, second] = [use(), use()];

  first.leave();

  expect(second.isAnotherLeaving()).toBe(false);
});

it('ignores dead processes', async () => {
  const dead = spawnSync(process.execPath, ['--version']).pid;
  await writeFile(join(folder, `${dead}.one.using`), '');
  await writeFile(join(folder, `${dead}.one.leaving`), '');
  const alone = use();

  expect(alone.isAnotherLeaving()).toBe(false);
  expect(alone.leave()).toBe(true);
  alone.left();
  expect(await readdir(folder)).toEqual([]);
});

it.runIf(process.platform === 'linux')('counts no dead process whose id a living one has now', async () => {
  await writeFile(join(folder, `${process.pid}.one.using`), `${processStamp(process.pid)}0`);
  const alone = use();

  expect(processStamp(process.pid)).toMatch(/^\d+$/);
  expect(alone.leave()).toBe(true);
});
