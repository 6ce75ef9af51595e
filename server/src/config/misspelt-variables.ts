import { VARIABLES } from './settings.ts';

/** Shorter names are not compared: HOST and PORT are one letter away from POST, HOSTS and other programs' names. */
const SHORTEST_NAME = 6;
const COMPARED = Object.keys(VARIABLES).filter((name) => name.length >= SHORTEST_NAME);

/** Finds the variable that is one letter away from an unknown name: `DATABASE_URL` for `DATABSE_URL`, null for `PATH`. */
export function meantBy(name: string): string | null {
  if (name in VARIABLES) return null;
  return COMPARED.find((known) => isOneLetterAway(name, known)) ?? null;
}

/** Names the variables that are one letter away from a known one, each in a sentence for the operator. */
export function misspeltVariables(names: Iterable<string>): string[] {
  return [...names].sort().flatMap((name) => {
    const meant = meantBy(name);
    return meant === null
      ? []
      : [`${name} is no variable of this server, and is not read: did you mean ${meant}?`];
  });
}

/** Compares two different names: one letter is missing, added, replaced, or has changed places with the next one. */
function isOneLetterAway(one: string, other: string): boolean {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const [a, b] = [one.slice(same), other.slice(same)];
  const isSwapped = a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
  return a.slice(1) === b || a === b.slice(1) || a.slice(1) === b.slice(1) || isSwapped;
}
