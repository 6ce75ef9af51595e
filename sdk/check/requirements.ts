import {
  type CheckItem,
  type FileItems,
  gitItem,
  packageItem,
  type SourceFile,
  skippedItem,
} from './item.ts';

interface RequirementLine {
  readonly text: string;
  /** Line on which the requirement begins. */
  readonly line: number;
}

/** Patterns of the options that are read. As in pip, long options may be abbreviated. */
const OPTIONS = {
  include: /^(-r|--requirem[a-z]*)$/,
  constraint: /^(-c|--c[a-z]*)$/,
  editable: /^(-e|--ed[a-z]*)$/,
  index: /^(-[if]|--(i|py|ex|f)[a-z-]*)$/,
  noIndex: /^--no-i[a-z]*$/,
} as const;

/** Returns the options of a line with their values, also joined ones (`-rfile`); none if the line is a requirement. */
function optionsOf(line: string): { option: string; value: string }[] {
  if (!line.startsWith('-')) return [];
  const words = (line.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []).map((word) =>
    word.replaceAll(/["']/g, ''),
  );
  return words.flatMap((word, index) => {
    const [, option, joined = ''] = /^(--[a-z-]+(?==|$)|-[a-z])=?(.*)$/s.exec(word) ?? [];
    return option === undefined ? [] : [{ option, value: joined || (words[index + 1] ?? '') }];
  });
}

/** Returns the paths of included files and of constraints files, exactly as the requirements file contains them. */
export function includedFiles(text: string): string[] {
  return [...filesOf(text, OPTIONS.include), ...filesOf(text, OPTIONS.constraint)];
}

const filesOf = (text: string, kind: RegExp) =>
  logicalLines(text).flatMap(({ text: line }) =>
    optionsOf(line).flatMap(({ option, value }) => (kind.test(option) ? [value] : [])),
  );

/**
 * Returns the indexes that a requirements file names. pip applies them to all files that it reads and to every package:
 * any index that has a package may serve it. Also returns the values of `--find-links`, and `--no-index` itself: with
 * either, a package may come from another place than an index.
 */
export function requirementIndexes(text: string): string[] {
  return logicalLines(text).flatMap(({ text: line }) =>
    optionsOf(line).flatMap(({ option, value }) => {
      if (OPTIONS.noIndex.test(option)) return ['--no-index'];
      return OPTIONS.index.test(option) ? [value] : [];
    }),
  );
}

/**
 * Reads a requirements file of pip, with pins, hashes, extras, markers and continued lines. A requirement without an
 * exact version becomes an item without a version. Returns the paths of included files (`-r`) and of constraints (`-c`).
 */
export function readRequirements(source: SourceFile): FileItems {
  const items: CheckItem[] = [];
  let local = 0;
  for (const { text, line } of logicalLines(source.text)) {
    const editable = optionsOf(text).flatMap(({ option, value }) =>
      OPTIONS.editable.test(option) ? [value] : [],
    );
    for (const requirement of text.startsWith('-') ? editable : [text]) {
      const item = requirementItem(requirement, source, line);
      if (item) items.push(item);
      else local += 1;
    }
  }
  const { include, constraint } = OPTIONS;
  return {
    items,
    local,
    includes: filesOf(source.text, include),
    constraints: filesOf(source.text, constraint),
  };
}

/**
 * Reads a constraints file. It installs nothing, so its versions are ignored. But pip installs a required package from
 * the address that a constraint states.
 */
export function readConstraints(source: SourceFile): FileItems {
  const { includes = [], constraints = [], items } = readRequirements(source);
  const isAddress = ({ subject, skipped }: CheckItem) =>
    subject === null ? skipped !== ELSEWHERE : !subject.startsWith('pypi:');
  return { items: items.filter(isAddress), local: 0, constraints: [...includes, ...constraints] };
}

/**
 * Maximum length of a requirement without its options. Longer ones are only listed, because matching them against the
 * patterns below could take minutes.
 */
const MAX_LENGTH = 2_000;

/** Creates an item for a requirement; returns null for a folder of the project. */
function requirementItem(stated: string, source: SourceFile, line: number): CheckItem | null {
  const at = { file: source.path, line };
  // Options of a requirement, such as its hashes, can be long.
  const [requirement = ''] = stated.split(/\s--[a-z]/, 1);
  if (requirement.length > MAX_LENGTH) return tooLong(requirement, at);
  const [, direct, address] = /^([\w.-]+)\s*(?:\[[^\]]*\])?\s*@\s*(\S+)/.exec(requirement) ?? [];
  const url = address ?? (/^([a-z]+\+)?[a-z]+:\/\//.test(requirement) ? requirement : undefined);
  if (url !== undefined) {
    const name = direct ? `pypi:${direct}` : 'a package of an address';
    return url.startsWith('git+')
      ? gitItem(name, url.replace(/@[^@/]*$/, ''), at)
      : skippedItem(name, 'from an address of its own', at);
  }
  if (/^[./~]|[\\/]/.test(requirement.replace(/\s.*/, ''))) return null;
  return specifiedItem(requirement, source, at);
}

/**
 * Creates an item for a requirement such as `name[extra]==1.2.3; marker`. Commands such as uvx accept the same format.
 */
export function specifiedItem(
  requirement: string,
  source: SourceFile,
  at: Pick<CheckItem, 'file' | 'line'>,
): CheckItem {
  if (requirement.length > MAX_LENGTH) return tooLong(requirement, at);
  const [, name, specifier = ''] =
    /^([\w.-]+)\s*(?:\[[^\]]*\])?\s*((?:\(\s*)?(?:==|[<>~!]=|[<>])[^;#]*?)?\s*(?:--\w.*|[;#].*)?$/.exec(
      requirement,
    ) ?? [];
  // The line may come from any file that a requirements file includes, so its text is neither sent nor shown.
  if (name === undefined) return skippedItem('a line that is no requirement', 'it names no package', at);
  // `==1.2.*` and lists of conditions match several versions.
  const version = /^\(?={2,3}\s*v?([\w.!+-]+)\)?$/.exec(specifier.trim())?.[1] ?? null;
  const { pythonIndexes, isPublic } = source.registries;
  const item = packageItem('pypi', name, version, at);
  if (pythonIndexes.every((index) => isPublic('pypi', index))) return item;
  return { ...item, subject: null, skipped: ELSEWHERE };
}

const ELSEWHERE = 'may come from another index';

const tooLong = (requirement: string, at: Pick<CheckItem, 'file' | 'line'>) =>
  skippedItem(`pypi:${requirement.slice(0, 50)}…`, `it has more than ${MAX_LENGTH} characters`, at);

/** Joins continued lines, and removes comments and blank lines. */
function logicalLines(text: string): RequirementLine[] {
  // Parts are joined once at the end: a line may be continued many times.
  const lines: { parts: string[]; line: number }[] = [];
  let isContinued = false;
  for (const [index, physical] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const bare = physical.replace(/(^|\s)#.*$/, '');
    const part = bare.replace(/\\$/, '').trim();
    const last = isContinued ? lines.at(-1) : undefined;
    if (last) last.parts.push(part);
    else lines.push({ parts: [part], line: index + 1 });
    isContinued = bare.endsWith('\\');
  }
  return lines
    .map(({ parts, line }) => ({ text: parts.join(' ').trim(), line }))
    .filter(({ text: joined }) => joined !== '');
}
