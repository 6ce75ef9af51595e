import { cleanName } from '../clean-values.ts';
import { DESCRIPTION_LENGTH } from './repository-reading.ts';

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
 * headings, pictures, badges, HTML, tables, lists, quotes and code. Returns null if there is no such line.
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

/** Matches lines that are no prose: headings, lists, quotes, tables, rules, directives and indented code. */
const NO_PROSE =
  /^(?:\s*(?:#|[-*+]\s|\d+[.)]\s|\||={3,}|-{3,}|\*{3,}|\.\. |:\w+:|```|~~~|\[[^\]]+\]:|$)|\s*>\s*\[!|\t| {4})/;

/** Matches the line that makes the one before it a heading. */
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
