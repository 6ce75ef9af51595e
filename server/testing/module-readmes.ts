import { dirname, join } from 'node:path/posix';

/** The parts of this repository that READMEs are compared with. Paths are relative to its root. */
export interface Repository {
  /** Tracked files with their folders. */
  readonly paths: ReadonlySet<string>;
  /** Texts of all code files. */
  readonly code: ReadonlyMap<string, string>;
  /** Texts of the server's product files, without comments. */
  readonly sources: ReadonlyMap<string, string>;
  /** Tables and views of the current schema. */
  readonly tables: ReadonlySet<string>;
  /** All texts that a name in a README may come from. */
  readonly vocabulary: ReadonlySet<string>;
}

const SOURCE = 'server/src/';

/** Lists the tables and views of a schema. */
export function tablesOf(schema: string): Set<string> {
  const made = schema.matchAll(/^CREATE (?:UNLOGGED )?(?:TABLE|VIEW) (\w+)/gm);
  return new Set([...made].map(([, name = '']) => name));
}

/** Splits texts into the words that they contain. */
export function wordsOf(texts: Iterable<string>): Set<string> {
  return new Set([...texts].flatMap((text) => text.match(/[A-Za-z_$][\w$]*/g) ?? []));
}

/** Returns the tables that a product file writes, by SQL, by COPY or by a model. Writes by triggers do not count. */
function tablesWrittenBy(text: string, tables: ReadonlySet<string>): string[] {
  const inSql = [...text.matchAll(/\b(?:INSERT INTO|UPDATE|DELETE FROM)(?: ONLY)?\s+(\w+)/g)];
  const byCopy = [...text.matchAll(/\bcopyRows\(\w+, '(\w+)'/g)];
  const byModel = [...text.matchAll(/\bmodels\.([A-Z]\w+)\.(?:create|bulkCreate|update|destroy)\(/g)].map(
    ([, name = '']) => name.replace(/(?<!^)[A-Z]/g, '_$&').toLowerCase(),
  );
  // A statement for several tables takes their names from a list in its file.
  const listed = /\b(?:INSERT INTO|DELETE FROM) \$\{/.test(text) ? [...text.matchAll(/'(\w+)'/g)] : [];
  const named = [...inSql, ...byCopy, ...listed].map(([, name = '']) => name);
  return [...new Set([...named, ...byModel])].filter((name) => tables.has(name));
}

/** Returns the module of `server/src` that a path belongs to. */
export function moduleOf(path: string): string {
  return path.startsWith(SOURCE) ? (path.slice(SOURCE.length).split('/')[0] ?? '') : '';
}

/** File that restores exports and therefore writes all tables; it is not compared with READMEs. */
const RESTORE = 'server/src/platform/database/export/';

/** Returns the modules whose product files write a table. */
function writersOf(table: string, { sources, tables }: Repository): string[] {
  const paths = [...sources].filter(
    ([path, text]) => !path.startsWith(RESTORE) && tablesWrittenBy(text, tables).includes(table),
  );
  return [...new Set(paths.map(([path]) => moduleOf(path)))].sort();
}

/** Returns the text of the section with this heading; empty if there is none. */
function section(readme: string, heading: string): string {
  return new RegExp(`^## ${heading}\\n([\\s\\S]*?)(?=^## |$(?![\\s\\S]))`, 'm').exec(readme)?.[1] ?? '';
}

/** Returns the cells of a section's table rows, without the heading. */
function rowsOf(text: string): string[][] {
  const lines = text.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1),
  );
}

const codesIn = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);

/** Returns the tables that a module's README lists as its own. */
export function tablesIn(readme: string): string[] {
  return rowsOf(section(readme, 'Tables')).flatMap(([name = '']) => codesIn(name));
}

/** Lists what is wrong in a module's README, one sentence each. `path` is that of the README. */
export function faultsOfModule(path: string, readme: string, repository: Repository): string[] {
  return [
    ...faultsOfNames(path, readme, repository),
    ...faultsOfTables(moduleOf(path), readme, repository),
    ...faultsOfFunctions(path, readme, repository),
    ...faultsOfUses(moduleOf(path), readme, repository),
  ];
}

/** Matches a path: with a slash or a known ending, without spaces, placeholders or a leading slash. */
const PATH =
  /^(?!\/)[\w.@-]*(?:\/[\w.@-]+)*(?:\/|\.(?:tsx?|mjs|cjs|sql|json|ya?ml|css|md))$|^(?!\/)[\w.@-]+\/[\w./@-]+$/;
/** Matches paths that are not tracked: what builds and programs make, packages, and placeholders. */
const UNTRACKED =
  /(^|\/)dist\/|NNNN|^[A-Z_]+\/|^\.data\/|^node_modules\/|^@trust-directory\/sdk|^report\.(?:md|json)$/;
/** Matches names of functions, classes and types, which must be in a file that the same row, item or paragraph names. */
const DECLARED = /^[a-z]+[A-Z]\w*$|^(?:[A-Z][a-z]+){2,}$|^\w+\(\)$/;
/** Matches names of constants, columns and codes. */
const WITH_UNDERSCORE = /^[A-Za-z]\w*_\w+$/;

/**
 * Compares paths, names and links in a document with the repository. The name of a function must be in one of the
 * source files that its table row, list item or paragraph names or links to; without such a file, it must be somewhere
 * in the code.
 */
export function faultsOfNames(path: string, document: string, repository: Repository): string[] {
  const text = document.replace(/^```[\s\S]*?^```/gm, '');
  const broken = targetsIn(text).filter((target) => !repository.paths.has(linked(path, target)));
  return [
    ...broken.map((target) => `there is no ${target} to link to`),
    ...text.split(/^(?=#)/m).flatMap((part) => faultsOfPart(path, part, repository)),
  ];
}

/** Checks the part of a document under one heading. Its paragraphs may name a folder that all of its files are in. */
function faultsOfPart(path: string, part: string, repository: Repository): string[] {
  const blocks = part.split(/\n(?=\||- |\d+\. |\n)/);
  const paragraphs = blocks.filter((block) => !/^\s*(?:\||- |\d+\. )/.test(block));
  const common = paragraphs.flatMap(codesIn).filter((code) => code.endsWith('/') && PATH.test(code));
  return blocks.flatMap((block) => faultsOfBlock(path, block, common, repository));
}

/** Returns the targets of a text's links to files of the repository. */
function targetsIn(text: string): string[] {
  const links = [...text.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)];
  return links.map(([, target = '']) => target).filter((target) => !/^https?:/.test(target));
}

const linked = (path: string, target: string) => clean(join(dirname(path), target));

function faultsOfBlock(
  path: string,
  block: string,
  common: readonly string[],
  repository: Repository,
): string[] {
  const { code: texts, vocabulary } = repository;
  const codes = codesIn(block);
  const paths = codes.filter((code) => PATH.test(code) && !UNTRACKED.test(code));
  const folders = [...common, ...paths.filter((code) => code.endsWith('/'))];
  const find = (code: string) =>
    [code, ...folders.map((folder) => join(folder, code))]
      .map((each) => resolved(path, each, repository))
      .find((each) => each !== null) ?? null;
  const missing = paths.filter((code) => find(code) === null);
  const files = [
    ...paths.map((code) => find(code) ?? ''),
    ...targetsIn(block).map((target) => linked(path, target)),
  ];
  const named = files.flatMap((file) => texts.get(file) ?? []);
  const words = named.length > 0 ? wordsOf(named) : vocabulary;
  const unknown = codes.filter((code) => {
    if (DECLARED.test(code)) return !words.has(code.replace('()', ''));
    return named.length > 0 && WITH_UNDERSCORE.test(code) && !vocabulary.has(code);
  });
  return [
    ...missing.map((code) => `there is no ${code}`),
    ...unknown.map((code) => `${code} is in none of the files named beside it`),
  ];
}

/** Finds a path as written from the document's folder, `server/src`, `server` or the root. */
function resolved(path: string, code: string, { paths }: Repository): string | null {
  const from = [dirname(path), 'server/src', 'server', '.'];
  return from.map((folder) => clean(join(folder, code))).find((each) => paths.has(each)) ?? null;
}

const clean = (path: string) => path.replace(/\/$/, '');

function faultsOfTables(module: string, readme: string, repository: Repository): string[] {
  return rowsOf(section(readme, 'Tables')).flatMap(([name = '', , others = '']) => {
    const [table = name] = codesIn(name);
    if (!repository.tables.has(table)) return [`there is no table ${table}`];
    const writers = writersOf(table, repository).filter((each) => each !== module);
    const stated = codesIn(others).map(clean).sort();
    return stated.join() === writers.join()
      ? []
      : [
          `${table} is also written by ${writers.join(', ') || 'no other module'}, not by ${stated.join(', ') || 'none'}`,
        ];
  });
}

/** Compares the public functions: each is exported by its file, and another module or the composition root uses it. */
function faultsOfFunctions(path: string, readme: string, repository: Repository): string[] {
  const own = `${dirname(path)}/`;
  return rowsOf(section(readme, 'Public functions')).flatMap(([file = '', names = '']) => {
    const source = repository.sources.get(resolved(path, codesIn(file)[0] ?? '', repository) ?? '');
    if (source === undefined) return [`there is no ${file}`];
    return codesIn(names).flatMap((name) => {
      const declaration = new RegExp(
        `^export (?:async )?(?:function\\*?|const|class|type|interface) ${name}\\b`,
        'm',
      );
      const use = new RegExp(`\\b${name}\\b`);
      const isUsed = [...repository.sources].some(([each, text]) => !each.startsWith(own) && use.test(text));
      if (!declaration.test(source)) return [`${file} does not export ${name}`];
      return isUsed ? [] : [`no other module uses ${name}`];
    });
  });
}

/** Returns the modules that a module's product files import. */
function modulesUsedBy(module: string, { sources }: Repository): string[] {
  const own = [...sources].filter(([path]) => moduleOf(path) === module);
  const targets = own.flatMap(([path, text]) =>
    [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, target = '']) =>
      join(dirname(path), target),
    ),
  );
  const used = new Set(targets.filter((target) => target.slice(SOURCE.length).includes('/')).map(moduleOf));
  return [...used].filter((each) => each !== module && each !== 'generated' && each !== '').sort();
}

function faultsOfUses(module: string, readme: string, repository: Repository): string[] {
  const stated = codesIn(section(readme, 'Uses'))
    .filter((code) => /^[a-z]+\/$/.test(code))
    .map(clean);
  const used = modulesUsedBy(module, repository);
  return [...new Set(stated)].sort().join() === used.join()
    ? []
    : [`it uses ${used.join(', ') || 'no module'}, not ${stated.join(', ') || 'none'}`];
}
