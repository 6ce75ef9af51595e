import { cleanName } from '../untrusted-answers.ts';
import { DESCRIPTION_LENGTH } from './repository-reading.ts';

/** A package that a manifest names, by its ecosystem. */
export interface ManifestPackage {
  readonly ecosystem: 'npm' | 'pypi';
  readonly name: string;
}

/** Manifest files that name packages, with their parsers. Without a valid name, a parser returns an empty list. */
export const MANIFESTS: Readonly<Record<string, (text: string) => ManifestPackage[]>> = {
  'package.json': readPackageJson,
  'pyproject.toml': readPyproject,
  'server.json': readServerJson,
};

const MAX_PACKAGES = 20;
const NPM_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]{0,213}\/)?[a-z0-9~-][a-z0-9._~-]{0,213}$/i;
const PYPI_NAME = /^[a-z0-9](?:[a-z0-9._-]{0,212}[a-z0-9])?$/i;

function named(ecosystem: string, name: unknown): ManifestPackage[] {
  if (typeof name !== 'string') return [];
  if (ecosystem === 'npm' && name.length <= 214 && NPM_NAME.test(name)) return [{ ecosystem, name }];
  return ecosystem === 'pypi' && PYPI_NAME.test(name) ? [{ ecosystem, name }] : [];
}

/** Reads the name of an npm package. A manifest marked `private` names no package, because it is never published. */
function readPackageJson(text: string): ManifestPackage[] {
  const manifest = parseObject(text);
  return manifest.private === true ? [] : named('npm', manifest.name);
}

/** Reads the packages of an MCP server's `server.json`. */
function readServerJson(text: string): ManifestPackage[] {
  const { packages } = parseObject(text);
  if (!Array.isArray(packages)) return [];
  return packages
    .slice(0, MAX_PACKAGES)
    .filter(isObject)
    .flatMap(({ registryType, identifier }) => named(String(registryType), identifier));
}

/**
 * Reads `name` of the table `[project]`, or of `[tool.poetry]`, which older projects have. Understands only what these
 * two need of TOML: headers of tables, keys with a string on one line, and multi-line strings, which it skips.
 */
function readPyproject(text: string): ManifestPackage[] {
  const names = new Map<string, string>();
  let table = '';
  let openQuotes: string | null = null;
  for (const line of text.split(/\r?\n/)) {
    if (openQuotes !== null) {
      if (line.includes(openQuotes)) openQuotes = null;
      continue;
    }
    const header = /^\s*\[([^[\]]*)\]\s*(?:#.*)?$/.exec(line);
    if (header) table = (header[1] ?? '').replace(/[\s"']/g, '');
    else if (/^\s*\[\[/.test(line)) table = '';
    const name = /^\s*(?:name|"name"|'name')\s*=\s*(?:"([^"\\]*)"|'([^']*)')\s*(?:#.*)?$/.exec(line);
    const value = name?.[1] ?? name?.[2];
    if (value !== undefined && !names.has(table)) names.set(table, value);
    openQuotes = quotesLeftOpen(line);
  }
  return named('pypi', names.get('project') ?? names.get('tool.poetry'));
}

/** Returns the quotes of a multi-line string that begins on a line and does not end there; otherwise null. */
function quotesLeftOpen(line: string): string | null {
  const quotes = /^[^#]*?("""|''')/.exec(line)?.[1];
  return quotes !== undefined && line.split(quotes).length % 2 === 0 ? quotes : null;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Maximum characters of a README that are searched. */
const SEARCHED_CHARACTERS = 20_000;

/** Matches the names of READMEs that hosts show on the page of a repository. */
const README = /^readme(?:\.(?:md|markdown|mdx|rst|txt|adoc))?$/i;

/** Returns the README among the names in a folder; undefined without one. */
export function readmeAmong(names: readonly string[]): string | undefined {
  return names.find((name) => README.test(name));
}

/**
 * Returns the first line of prose of a README, without its markup: the line that says what the repository is. Skips
 * headings, pictures, badges, HTML, tables, lists, notes (`> [!NOTE]`) and code; a quote counts as prose. Returns null
 * if there is no such line.
 */
export function firstLineOfReadme(text: string): string | null {
  let isCode = false;
  const lines = text
    .slice(0, SEARCHED_CHARACTERS)
    .replace(/^\uFEFF?---\r?\n[\s\S]*?\r?\n---\r?\n/, '')
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    if (isCode || NO_PROSE.test(line) || UNDERLINE.test(lines[index + 1] ?? '')) continue;
    const prose = withoutMarkup(line);
    if (prose !== null && /\p{L}{2}.*\s|\p{Lo}{4}/u.test(prose)) return prose;
  }
  return null;
}

/**
 * Matches lines that are no prose: headings, lists, notes (`> [!NOTE]`), tables, rules, directives and indented code.
 */
const NO_PROSE =
  /^(?:\s*(?:#|[-*+]\s|\d+[.)]\s|\||={3,}|-{3,}|\*{3,}|\.\. |:\w+:|```|~~~|\[[^\]]+\]:|$)|\s*>\s*\[!|\t| {4})/;

/** Matches an underline of `=`, `-` or `~`, which makes the line before it a heading. */
const UNDERLINE = /^\s*(?:={3,}|-{3,}|~{3,})\s*$/;

/** Removes pictures, tags, links and emphasis; returns null if nothing visible is left. */
function withoutMarkup(line: string): string | null {
  const plain = line
    .replace(/^\s*>\s*/, '')
    .replace(/!\[[^\]]*\](?:\([^()]*\)|\[[^\]]*\])/g, '')
    .replace(/\[\s*\]\([^()]*\)/g, '')
    .replace(/\[([^[\]]*)\](?:\([^()]*\)|\[[^\]]*\])/g, '$1')
    .replace(/<[^<>]*>/g, '')
    .replace(/(\*\*|__|`)(?=\S)(.*?)\1/g, '$2');
  return cleanName(plain, DESCRIPTION_LENGTH);
}
