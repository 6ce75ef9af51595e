import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { IS_NIGHTLY } from '../../server/testing/nightly.ts';
import { KEY } from '../test/samples.ts';
import { startService } from './service.ts';

interface Program {
  run(baseUrl: string, apiKey: string): Promise<unknown>;
  readonly expected: unknown;
}

const folder = fileURLToPath(new URL('.', import.meta.url));
const { version } = JSON.parse(readFileSync(`${folder}../package.json`, 'utf8'));
const VERSIONS = readdirSync(folder).filter((name) => /^\d+\.\d+\.\d+$/.test(name));

const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  // By day, declarations are only checked as far as the programs use them.
  skipLibCheck: !IS_NIGHTLY,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
  types: [],
};

it('the version of the package has its programs', () => {
  expect(existsSync(`${folder}${version}`)).toBe(true);
});

describe.each(VERSIONS)('programs written for %s', (released) => {
  const files = readdirSync(`${folder}${released}`);

  it('compile against the current build', () => {
    const program = ts.createProgram(
      files.map((file) => `${folder}${released}/${file}`),
      options,
    );

    const complaints = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
      return `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });

    expect(files.length).toBeGreaterThan(5);
    expect(complaints).toEqual([]);
  }, 600_000);

  it.each(files)('run on the current build with the same output (%s)', async (file) => {
    const program: Program = await import(/* @vite-ignore */ `${folder}${released}/${file}`);

    expect(await program.run(await startService(), KEY)).toEqual(program.expected);
  });
});
