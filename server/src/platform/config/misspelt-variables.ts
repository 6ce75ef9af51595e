import { VARIABLES } from './settings.ts';

/**
 * Minimum length of a variable name whose misspellings are recognised. Shorter names such as HOST and PORT are one
 * letter away from POST, HOSTS and names of other programs.
 */
const SHORTEST_NAME = 6;
const COMPARED = Object.keys(VARIABLES).filter((name) => name.length >= SHORTEST_NAME);

/**
 * Finds the variable from which an unknown name differs by one letter: `DATABASE_URL` for `DATABSE_URL`, null for
 * `PATH`.
 */
export function closestVariable(name: string): string | null {
  if (name in VARIABLES) return null;
  return COMPARED.find((known) => isOneLetterAway(name, known)) ?? null;
}

/** Returns one sentence for the operator for each variable that differs from a known one by one letter. */
export function misspeltVariables(names: Iterable<string>): string[] {
  return [...names].sort().flatMap((name) => {
    const meant = closestVariable(name);
    return meant === null
      ? []
      : [`${name} is not a variable of this server and is ignored: did you mean ${meant}?`];
  });
}

/**
 * Returns true if two different names differ by one letter, which is missing, added, replaced, or swapped with the
 * next one.
 */
function isOneLetterAway(one: string, other: string): boolean {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const [a, b] = [one.slice(same), other.slice(same)];
  const isSwapped = a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
  return a.slice(1) === b || a === b.slice(1) || a.slice(1) === b.slice(1) || isSwapped;
}
