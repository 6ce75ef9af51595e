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
  /** Line on which it begins. */
  readonly line: number;
}

/** Options that matter, with what pip takes for them: short ones with a joined value, and beginnings of long ones. */
const OPTIONS = {
  include: /^(-r|--requirem[a-z]*)$/,
  editable: /^(-e|--ed[a-z]*)$/,
  index: /^(-[if]|--(i|py|ex|f)[a-z-]*)$/,
  noIndex: /^--no-i[a-z]*$/,
} as const;

/** Returns the options of a line with their values; none for a line that begins with a requirement. */
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

/** Returns the files that a requirements file includes, as it names them. */
export function includedFiles(text: string): string[] {
  return logicalLines(text).flatMap(({ text: line }) =>
    optionsOf(line).flatMap(({ option, value }) => (OPTIONS.include.test(option) ? [value] : [])),
  );
}

/**
 * Returns the indexes that a file names. For pip, they count for all files that it reads, and for every package: whichever index
 * has it may serve it. `--no-index` and `--find-links` serve packages from elsewhere, too.
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
 * Reads a requirements file of pip, with pins, hashes, extras, markers and continued lines. A requirement without one exact
 * version is returned without a version. Included files (`-r`) are returned by their paths; constraints install nothing.
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
  return { items, local, includes: includedFiles(source.text) };
}

/** Returns the item of a requirement; null for a folder of the project. */
function requirementItem(requirement: string, source: SourceFile, line: number): CheckItem | null {
  const at = { file: source.path, line };
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

/** Returns the item of a requirement such as `name[extra]==1.2.3; marker`, also as commands such as uvx take it. */
export function specifiedItem(
  requirement: string,
  source: SourceFile,
  at: Pick<CheckItem, 'file' | 'line'>,
): CheckItem {
  const [, name = requirement, specifier = ''] =
    /^([\w.-]+)\s*(?:\[[^\]]*\])?\s*([^;\s#-][^;#]*?)?\s*(?:--\w.*|[;#].*)?$/.exec(requirement) ?? [];
  // `==1.2.*` and a list of conditions leave several versions.
  const version = /^\(?={2,3}\s*v?([\w.!+-]+)\)?$/.exec(specifier.trim())?.[1] ?? null;
  const { pythonIndexes, isPublic } = source.registries;
  const item = packageItem('pypi', name, version, at);
  if (pythonIndexes.every((index) => isPublic('pypi', index))) return item;
  return { ...item, subject: null, skipped: 'may come from another index' };
}

/** Joins continued lines, and removes comments and blank lines. */
function logicalLines(text: string): RequirementLine[] {
  const lines: RequirementLine[] = [];
  let isContinued = false;
  for (const [index, physical] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const bare = physical.replace(/(^|\s)#.*$/, '');
    const part = bare.replace(/\\$/, '').trim();
    const last = isContinued ? lines.pop() : undefined;
    lines.push(last ? { ...last, text: `${last.text} ${part}`.trim() } : { text: part, line: index + 1 });
    isContinued = bare.endsWith('\\');
  }
  return lines.filter(({ text: joined }) => joined !== '');
}
