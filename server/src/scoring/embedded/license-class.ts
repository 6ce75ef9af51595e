import { OSI_LICENSES } from './osi-licenses.ts';

/** An open-source licence by its SPDX expression, any other stated text, or the statement that there is no licence. */
export type LicenseClass = 'osi' | 'other' | 'none';

// SPDX's NONE, npm's UNLICENSED (no right is granted; not the Unlicense) and the plain words for it.
const NO_LICENSE = new Set(['none', 'unlicensed', 'no license', 'no licence']);

/**
 * The class of a stated licence; null for blank text, which states nothing. NOASSERTION (a licence file that the host
 * could not name), mistyped identifiers and free text are `other`: only an exact SPDX identifier earns more.
 */
export function licenseClass(text: string): LicenseClass | null {
  const stated = text.trim().toLowerCase();
  if (stated === '') return null;
  if (NO_LICENSE.has(stated)) return 'none';
  return grantsOpenSource(stated) ? 'osi' : 'other';
}

// A flat SPDX expression: one of the alternatives (OR) must be open source in all its parts (AND). An exception
// (WITH) only widens a licence; "+" means "or later". Nested expressions are left to "other".
function grantsOpenSource(expression: string): boolean {
  const flat = expression.startsWith('(') && expression.endsWith(')') ? expression.slice(1, -1) : expression;
  const words = flat.trim().split(/\s+/u);
  return splitAt(words, 'or').some((alternative) => splitAt(alternative, 'and').every(isOpenSource));
}

function splitAt(words: readonly string[], separator: string): string[][] {
  const groups: string[][] = [[]];
  for (const word of words) {
    if (word === separator) groups.push([]);
    else groups.at(-1)?.push(word);
  }
  return groups;
}

function isOpenSource([identifier = '', joint, ...exception]: readonly string[]): boolean {
  const alone = joint === undefined || (joint === 'with' && exception.length === 1);
  return alone && (OSI_LICENSES.has(identifier) || OSI_LICENSES.has(identifier.replace(/\+$/u, '')));
}
