import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { archive } from '../../../../../sdk/test/packed-package.ts';
import { openTestSite, type TestSite } from '../../../../testing/browser/test-site.ts';

const run = promisify(execFile);

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(() => site?.close());

it('the command on /docs installs the SDK into a new project, where it can call this server', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trust-directory-consumer-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const docs = await (await fetch(`${site.url}/docs`)).text();
  const [line = '', url = ''] = /npm install (http\S+\.tgz)/.exec(docs) ?? [];
  expect(line, 'npm run build packs the SDK').not.toBe('');
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'consumer', private: true, type: 'module' }),
  );
  // Pack the dependencies here, so that the test needs no registry.
  const names = ['openapi-fetch', 'openapi-typescript-helpers'];
  const dependencies = await Promise.all(names.map((name) => archive(name, folder)));

  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--noproxy=127.0.0.1'];
  await run('npm', ['install', ...quiet, ...dependencies, url], { cwd: folder });
  const program = `import { TrustDirectory } from '@trust-directory/sdk';
    console.log(typeof (await new TrustDirectory().agents.list({ limit: 1 })).total);`;
  const env = { PATH: process.env.PATH, TRUST_DIRECTORY_URL: site.url };
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: folder,
    env,
  });
  const lookup = await run('npx', ['trust-directory', '--version'], { cwd: folder });

  expect(stdout).toBe('number\n');
  expect(lookup.stdout).toMatch(/^\d+\.\d+\.\d+/);
  const unknown = await fetch(`${site.url}/sdk/trust-directory-sdk-0.0.0.tgz`);
  expect([unknown.status, await unknown.text()]).toEqual([404, expect.stringContaining(line)]);
});
