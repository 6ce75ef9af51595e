import { dirname, join } from 'node:path/posix';
import ts from 'typescript';

/** An import of one file by another; both paths are relative to `server/src/`. */
interface FileImport {
  from: string;
  to: string;
}

/**
 * Lists the imports that make folders depend on each other in a cycle, in one step or in several, by value or by type.
 * Imports between the two folders with the fewest come first: they are probably the ones to undo. `texts` holds the
 * product files by path. Files outside of a module, such as `app.ts`, join the modules and are not counted.
 */
export function importsInFolderCycles(texts: ReadonlyMap<string, string>): string[] {
  const imports = [...texts]
    .flatMap(([path, text]) => relativeImports(path, text))
    .filter(({ from, to }) => dirname(from) !== dirname(to))
    .filter(({ from, to }) => isInModule(from) && isInModule(to));
  const isReachable = reachability(imports);
  const edges = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    if (!isReachable(dirname(to), dirname(from))) continue;
    const edge = `${dirname(from)} → ${dirname(to)}`;
    edges.set(edge, (edges.get(edge) ?? new Set()).add(`${from} imports ${to}`));
  }
  return [...edges.values()].sort((a, b) => a.size - b.size).flatMap((each) => [...each]);
}

const isInModule = (path: string) => path.includes('/') && !path.startsWith('generated/');

/** Lists the relative imports of a file: static, dynamic and type imports, and what it exports again. */
function relativeImports(path: string, text: string): FileImport[] {
  const found: FileImport[] = [];
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node);
    if (specifier?.startsWith('.')) found.push({ from: path, to: join(dirname(path), specifier) });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return found;
}

function specifierOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return textOf(node.moduleSpecifier);
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? textOf(node.argument.literal) : undefined;
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
    return textOf(node.arguments[0]);
  return undefined;
}

function textOf(node: ts.Node | undefined): string | undefined {
  return node && ts.isStringLiteralLike(node) ? node.text : undefined;
}

/** Returns a function that tells whether imports lead from one folder to another, in any number of steps. */
function reachability(imports: readonly FileImport[]): (start: string, end: string) => boolean {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of imports)
    next.set(dirname(from), (next.get(dirname(from)) ?? new Set()).add(dirname(to)));
  const reached = new Map<string, ReadonlySet<string>>();
  const reachedFrom = (start: string) => {
    const folders = new Set([start]);
    // The loop also visits folders that are added during it, because a Set iterates over new members.
    for (const folder of folders) for (const each of next.get(folder) ?? []) folders.add(each);
    return folders;
  };
  return (start, end) => {
    const folders = reached.get(start) ?? reachedFrom(start);
    reached.set(start, folders);
    return folders.has(end);
  };
}
