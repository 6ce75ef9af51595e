import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const folder = fileURLToPath(new URL('../src/', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Entry points by the names that programs import them by. */
const ENTRIES: Record<string, string> = {
  '@trust-directory/sdk': `${folder}index.ts`,
  '@trust-directory/sdk/directory': `${folder}directory.ts`,
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

/** Compiles files that exist only here, beside those on disk. */
function compile(files: Map<string, string>): ts.Program {
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile } = host;
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.getSourceFile = (name, version, ...rest) => {
    const text = files.get(name);
    return text === undefined
      ? getSourceFile(name, version, ...rest)
      : ts.createSourceFile(name, text, version);
  };
  return ts.createProgram([...files.keys(), ...Object.values(ENTRIES)], options, host);
}

const program = compile(new Map());
const checker = program.getTypeChecker();

/** Everything that an entry point exports. */
function exportsOf(file: string): ts.Symbol[] {
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${file} is not compiled`);
  return checker.getExportsOfModule(module).map((symbol) => {
    return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  });
}

const isGenerated = (symbol: ts.Symbol) =>
  symbol.declarations?.every((declaration) => declaration.getSourceFile().fileName.includes('/generated/'));
const textOf = (symbol: ts.Symbol) => ts.displayPartsToString(symbol.getDocumentationComment(checker));
const examplesOf = (symbol: ts.Symbol) =>
  symbol.getJsDocTags(checker).filter(({ name }) => name === 'example');

/** Members that are methods, of an interface whose methods call the service. */
function callsOf(symbol: ts.Symbol): ts.Symbol[] {
  const members = [...(symbol.members?.values() ?? [])];
  return members.filter(({ flags }) => flags & ts.SymbolFlags.Method);
}

const NAMESPACES = /^(Agents|Identities|Subjects|Operations|Receipts|LinkedAccounts|ChildClaims)$/;

describe.each(Object.entries(ENTRIES))('%s', (_name, file) => {
  const exported = exportsOf(file).filter((symbol) => !isGenerated(symbol));

  it('says of every export what it is', () => {
    expect(exported.filter((symbol) => textOf(symbol) === '').map(({ name }) => name)).toEqual([]);
  });

  it('shows how every function and every method is called', () => {
    const functions = exported.filter(({ flags }) => flags & ts.SymbolFlags.Function);
    const methods = exported.filter(({ name }) => NAMESPACES.test(name)).flatMap(callsOf);

    const bare = [...functions, ...methods].filter((symbol) => examplesOf(symbol).length === 0);
    expect(bare.map(({ name }) => name)).toEqual([]);
  });
});

/** Code of every `@example` in a file. */
function examplesIn(text: string): string[] {
  return [...text.matchAll(/@example\n((?: *\*(?! @|\/).*\n)+)/g)].map(([, lines = '']) =>
    lines.replaceAll(/^ *\* ?/gm, ''),
  );
}

const EXAMPLES = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/generated|\.test/.test(file))
  .flatMap((file) =>
    examplesIn(readFileSync(folder + file, 'utf8')).map(
      (code, index) => [`${file} ${index + 1}`, code] as const,
    ),
  );

/** An example as a module: with the imports that it has, or with all that its entry point and the client offer. */
function asModule(code: string, where: string): string {
  if (/^import /m.test(code)) return code;
  const [folderOrFile = ''] = where.split(/[/.]/);
  const own = `@trust-directory/sdk/${folderOrFile}`;
  const entry = own in ENTRIES ? own : '@trust-directory/sdk';
  const names = new Set(exportsOf(ENTRIES[entry] ?? '').map(({ name }) => name));
  return `
    import { ${[...names].join(', ')} } from '${entry}';
    declare const client: import('@trust-directory/sdk').TrustDirectory;
    declare const server: import('msw/node').SetupServerApi;
    export async function run() {
      ${code}
    }`;
}

describe('examples', () => {
  it('are there', () => {
    expect(EXAMPLES.length).toBeGreaterThan(25);
  });

  it('compile', () => {
    const files = new Map(
      EXAMPLES.map(([where, code]) => [
        `${root}sdk/test/${where.replaceAll(/\W/g, '-')}.ts`,
        asModule(code, where),
      ]),
    );

    const compiled = compile(files);
    const complaints = [...files.keys()].flatMap((name) => {
      const source = compiled.getSourceFile(name);
      return ts.getPreEmitDiagnostics(compiled, source).map(({ messageText }) => {
        return `${name}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
      });
    });

    expect(complaints).toEqual([]);
  }, 60_000);
});
