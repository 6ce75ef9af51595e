import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IS_NIGHTLY } from '../server/testing/nightly.ts';
import { type ServerProcess, startServer } from '../server/testing/server-process.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const run = promisify(execFile);

/** Commands that other tests already run: installing, starting, testing, and the mock. */
const RUN_ELSEWHERE = [
  /^npm ci && npm (start|test)$/,
  /^npm run mock$/,
  /^npm install http:\/\/127\.0\.0\.1:4000\/sdk\/trust-directory-sdk-<version>\.tgz$/,
  /^export TRUST_DIRECTORY_(API_KEY|URL)=/,
  // These run only at night, because other tests of every run use the same imports and commands.
  ...(IS_NIGHTLY ? [] : [/^npm run import /, /^npm run cli -- (sign-in-link|grant|ledger verify)\b/]),
];

/** Command that runs an example in a test run by day: the examples are already built. */
const RUN_EXAMPLE = 'node examples/dist/run.js ';

/** Returns the code blocks of a README in one language. */
async function blocks(file: string, language: string): Promise<string[]> {
  const text = await readFile(join(ROOT, file), 'utf8');
  const fences = text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'));
  return [...fences].map(([, code]) => code ?? '');
}

/** Returns the commands of shell blocks, with continued lines joined. */
async function commands(file: string): Promise<string[]> {
  const lines = (await blocks(file, 'sh')).flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'));
  return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
}

/** Working folder of the server, with its data. The documents' commands run in the root of the repository instead. */
let folder: string;
let server: ServerProcess;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trust-directory-readme-'));
  await chmod(folder, 0o711);
  const dataDir = join(folder, 'data');
  server = await startServer({ DATA_DIR: dataDir }, { entry: 'real', cwd: folder });
  const key = await server.printed(/svc_live_\w{38}/);
  const { PATH, HOME } = process.env;
  env = {
    PATH,
    HOME,
    DATA_DIR: dataDir,
    TRUST_DIRECTORY_API_KEY: key,
    TRUST_DIRECTORY_URL: server.baseUrl,
  };
});
afterAll(async () => {
  await server.end('SIGTERM');
  await rm(folder, { recursive: true, force: true });
});

const DOCUMENTS = [
  'README.md',
  'server/README.md',
  ...readdirSync(join(ROOT, 'server/docs'))
    .sort()
    .map((name) => `server/docs/${name}`),
  'sdk/README.md',
  'examples/README.md',
];

describe.each(DOCUMENTS)('%s', (file) => {
  /** Points a command of the README at the server of this test and at files that exist here. */
  function adapted(command: string): string {
    return command
      .replaceAll('http://127.0.0.1:4000', server.baseUrl)
      .replaceAll(/\b(listings|creators|artifacts|relations)\.ndjson/g, 'server/sample/$1.ndjson')
      .replaceAll(/^curl /g, 'curl -sS --fail-with-body ')
      .replace(
        /^npm run import -- /,
        'node server/dist/command-line/cli.js import --rejects $DATA_DIR/rejects.ndjson ',
      )
      .replace(/^npm run cli -- /, 'node server/dist/command-line/cli.js ')
      .replace(/^npm run (--silent )?example --workspace examples -- /, IS_NIGHTLY ? '$&' : RUN_EXAMPLE);
  }

  it('has only commands that work, in their order', async () => {
    for (const command of await commands(file)) {
      if (RUN_ELSEWHERE.some((pattern) => pattern.test(command.replace(/ +#.*$/, '')))) continue;
      const { code, stdout, stderr } = await run('sh', ['-c', adapted(command)], { cwd: ROOT, env }).catch(
        (error) => error,
      );
      expect(code ?? 0, `${command}\n${stderr}`).toBe(0);
      expect(`${stdout}${stderr}`, command).not.toMatch(/"error"|rror:|not found/);
      expect(`${stdout}${stderr}`, command).not.toBe('');
    }
  });

  it('has only TypeScript that runs as it stands', async () => {
    const tried = (await blocks(file, 'ts')).filter((_, index) => IS_NIGHTLY || index % 6 === 0);
    for (const block of tried) {
      const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
      const code = ts.transpileModule(block, { compilerOptions }).outputText;
      const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], {
        cwd: ROOT,
        env,
      });
      expect(stdout).toMatch(/\d/);
    }
  });

  it('links only to what exists', async () => {
    const text = await readFile(join(ROOT, file), 'utf8');
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link]) => link ?? '');
    for (const link of links) {
      const found = await readFile(join(ROOT, file, '..', link), 'utf8').then(
        () => true,
        (error) => error.code === 'EISDIR',
      );
      expect(found, link).toBe(true);
    }
  });
});
