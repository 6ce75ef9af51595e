import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { compile, complaintsAbout, ENTRIES } from './compile.ts';

const folder = fileURLToPath(new URL('../src/', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));

const program = compile(new Map());
const checker = program.getTypeChecker();

/** Returns the exports of an entry point. */
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

/** Returns the methods of a namespace interface. */
function callsOf(symbol: ts.Symbol): ts.Symbol[] {
  const members = [...(symbol.members?.values() ?? [])];
  return members.filter(({ flags }) => flags & ts.SymbolFlags.Method);
}

const NAMESPACES = /^(Agents|Identities|Subjects|Operations|Receipts|LinkedAccounts|ChildClaims)$/;

describe.each(Object.entries(ENTRIES))('%s', (_name, file) => {
  const exported = exportsOf(file).filter((symbol) => !isGenerated(symbol));

  it('documents every export', () => {
    expect(exported.filter((symbol) => textOf(symbol) === '').map(({ name }) => name)).toEqual([]);
  });

  it('has an example for every function and method', () => {
    const functions = exported.filter(({ flags }) => flags & ts.SymbolFlags.Function);
    const methods = exported.filter(({ name }) => NAMESPACES.test(name)).flatMap(callsOf);

    const bare = [...functions, ...methods].filter((symbol) => examplesOf(symbol).length === 0);
    expect(bare.map(({ name }) => name)).toEqual([]);
  });
});

/** Returns the code of every `@example` in a file. */
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

/** Makes an example a module. If it has no imports, adds imports of all exports of its entry point, and a client. */
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

    expect(complaintsAbout(files)).toEqual([]);
  }, 600_000);
});
