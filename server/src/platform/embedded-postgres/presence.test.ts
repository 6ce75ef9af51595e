import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Presence } from './presence.ts';
import { processStamp } from './process-identity.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trust-directory-presence-'));
});

afterEach(() => rm(folder, { recursive: true }));

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
