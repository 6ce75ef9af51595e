import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const folder = fileURLToPath(new URL('../src/', import.meta.url));

/** Source files of the entry points, by import name. */
export const ENTRIES: Record<string, string> = {
  '@trust-directory/sdk': `${folder}index.ts`,
  '@trust-directory/sdk/directory': `${folder}directory.ts`,
  '@trust-directory/sdk/verify': `${folder}verify.ts`,
  '@trust-directory/sdk/testing': `${folder}testing/index.ts`,
};

const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
  types: [],
  paths: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, [file]])),
};

/** Parsed files on disk, shared by all programs. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** Compiles in-memory files together with those on disk. */
export function compile(files: ReadonlyMap<string, string>): ts.Program {
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile } = host;
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.getSourceFile = (name, version, ...rest) => {
    const text = files.get(name);
    if (text !== undefined) return ts.createSourceFile(name, text, version);
    if (!parsed.has(name)) parsed.set(name, getSourceFile(name, version, ...rest));
    return parsed.get(name);
  };
  return ts.createProgram([...files.keys(), ...Object.values(ENTRIES)], options, host);
}

/** Returns the compiler errors of in-memory modules. */
export function complaintsAbout(files: ReadonlyMap<string, string>): string[] {
  const program = compile(files);
  return [...files.keys()].flatMap((name) => {
    const source = program.getSourceFile(name);
    return ts.getPreEmitDiagnostics(program, source).map(({ messageText }) => {
      return `${name}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });
  });
}
