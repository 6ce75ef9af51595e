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

it('gives the server to the last one who leaves, and to nobody before', () => {
  const [first, second] = [use(), use()];

  expect(first.leave()).toBe(false);
  expect(second.leave()).toBe(true);
});

it('shows anyone who comes that the last one is still leaving, until the server has stopped', () => {
  const last = use();
  last.leave();
  const newcomer = use();

  const during = newcomer.someoneLeaves();
  last.left();

  expect(during).toBe(true);
  expect(newcomer.someoneLeaves()).toBe(false);
});

it('lets no one be seen leaving who leaves the server to others', () => {
  const [first, second] = [use(), use()];

  first.leave();

  expect(second.someoneLeaves()).toBe(false);
});

it('counts no process that is dead', async () => {
  const dead = spawnSync(process.execPath, ['--version']).pid;
  await writeFile(join(folder, `${dead}.one.using`), '');
  await writeFile(join(folder, `${dead}.one.leaving`), '');
  const alone = use();

  expect(alone.someoneLeaves()).toBe(false);
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
