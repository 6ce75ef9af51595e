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

/** Options that are followed by a value which may be another word. */
const OPTION =
  /^(-r|--requirement|-c|--constraint|-i|--index-url|--extra-index-url|-f|--find-links|-e|--editable)(?:\s*=\s*|\s+)(\S.*)$/;

/**
 * Returns the indexes that a file names. For pip, they count for all files that it reads, and for every package: whichever index
 * has it may serve it. `--no-index` and `--find-links` serve packages from elsewhere, too.
 */
export function requirementIndexes(text: string): string[] {
  return logicalLines(text).flatMap(({ text: line }) => {
    if (/^--no-index\b/.test(line)) return ['--no-index'];
    const [, option = '', value = ''] = OPTION.exec(line) ?? [];
    return /index-url$|^-i$|^-f$|find-links/.test(option) ? [value] : [];
  });
}

/**
 * Reads a requirements file of pip, with pins, hashes, extras, markers and continued lines. A requirement without one exact
 * version is returned without a version. Included files (`-r`) are returned by their paths; constraints install nothing.
 */
export function readRequirements(source: SourceFile): FileItems {
  const items: CheckItem[] = [];
  const includes: string[] = [];
  let local = 0;
  for (const { text, line } of logicalLines(source.text)) {
    const [, option, value = ''] = OPTION.exec(text) ?? [];
    if (option === '-r' || option === '--requirement') includes.push(value);
    const requirement = option === '-e' || option === '--editable' ? value : text;
    if (requirement.startsWith('-')) continue;
    const item = requirementItem(requirement, source, line);
    if (item) items.push(item);
    else local += 1;
  }
  return { items, local, includes };
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
