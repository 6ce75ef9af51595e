import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { makeAccount, makeListing, type TestAccount } from '../server/testing/factories.ts';
import { GENERATORS, type Generator } from './generators/generators.ts';
import type { Connect } from './generators/programs/directory.ts';
import { openServerWorld, type ServerWorld } from './targets/server/server-world.ts';

const run = promisify(execFile);
const HOME = fileURLToPath(new URL('./generators/', import.meta.url));
const OURS = fileURLToPath(new URL('../node_modules/', import.meta.url));
const TSC = join(OURS, 'typescript/bin/tsc');
const packages = join(HOME, 'node_modules');
const isInstalled = existsSync(packages);

/** Common compiler options of a program that imports generated TypeScript. */
const COMPILER_OPTIONS = {
  strict: true,
  noEmit: true,
  target: 'es2022',
  module: 'preserve',
  moduleResolution: 'bundler',
  allowImportingTsExtensions: true,
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
  skipLibCheck: true,
};

let world: ServerWorld;
let site: string;
let contract: string;
let account: TestAccount;

beforeAll(async () => {
  world = await openServerWorld();
  site = await world.urlOf('working');
  contract = await (await fetch(`${site}/openapi.json`)).text();
  account = await makeAccount(world.database);
  await Promise.all([makeListing(world.database), makeListing(world.database), makeListing(world.database)]);
});
afterAll(() => world.stop());

/** Creates a folder with the contract as the server serves it, the generators and one program; removed after the test. */
async function folderFor(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `trust-directory-${name}-`));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const copied = ['kubb.config.mjs', 'openapi-codegen.config.ts'].map((file) => [file, file]);
  const programs = ['directory', name].map((each) => [`programs/${each}.ts`, `${each}.ts`]);
  for (const [from = '', to = ''] of [...copied, ...programs]) await cp(join(HOME, from), join(folder, to));
  await symlink(packages, join(folder, 'node_modules'));
  await writeFile(join(folder, 'openapi.json'), contract);
  const project = { compilerOptions: COMPILER_OPTIONS, files: [`${name}.ts`], include: ['client*/**/*.ts'] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(project));
  return folder;
}

/** Runs a command and returns its output if it fails; empty if it succeeds. */
function faultOf(command: string, args: readonly string[], cwd: string): Promise<string> {
  return run(command, args, { cwd }).then(
    () => '',
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}` || 'it failed silently',
  );
}

async function makeClient({ name, command, args }: Generator): Promise<Connect> {
  const folder = await folderFor(name);
  expect(await faultOf(join(folder, 'node_modules', '.bin', command), args, folder)).toBe('');
  expect(await faultOf(process.execPath, [TSC, '--project', folder], folder)).toBe('');
  return (await import(join(folder, `${name}.ts`))).connect;
}

const missing = isInstalled ? '' : ' (not run: `npm run install:nightly` has not been)';

describe.skipIf(!isInstalled)(`a client that is generated from /openapi.json${missing}`, () => {
  it.each(GENERATORS)('by $name compiles strictly, lists, shows, scores and replays', async (generator) => {
    const connect = await makeClient(generator);

    const directory = connect(site, account.key.secret);
    const { data, total } = await directory.list();
    const detail = await directory.detail(data[0]?.id ?? '');
    const request = {
      operation: 'agent_score',
      subject: detail.id,
      idempotency_key: randomUUID(),
    } as const;
    const fresh = await directory.run(request);
    const again = await directory.run(request);

    expect([data.length, total]).toEqual([2, 3]);
    expect(detail).toMatchObject({ id: data[0]?.id, name: data[0]?.name });
    expect(fresh).toMatchObject({ result: { scores: { trustScore: expect.any(Number) } } });
    expect(again).toMatchObject({ result: null, idempotent: true, ledger_id: fresh.ledger_id });
  });
});
