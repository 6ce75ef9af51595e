/**
 * Returns the number of edits between two words: a letter inserted, deleted or replaced, or two adjacent letters
 * swapped (Damerau-Levenshtein). Returns `most + 1` if there are more than `most`.
 */
export function editDistance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let twoBefore: number[] = [];
  let before = Array.from({ length: other.length + 1 }, (_, place) => place);
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row[j] = Math.min(
        at(before, j) + 1,
        at(row, j - 1) + 1,
        at(before, j - 1) + (isSame ? 0 : 1),
        isSwapped ? at(twoBefore, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    if (Math.min(...row) > most) return most + 1;
    [twoBefore, before] = [before, row];
  }
  return at(before, other.length);
}

function at(row: readonly number[], place: number): number {
  return row[place] ?? Number.POSITIVE_INFINITY;
}

/** Letters to insert or substitute. Other characters are only deleted or swapped. */
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789'];

/** Returns all words one edit away, using these letters. */
export function editsWithinOne(word: string): string[] {
  const letters = [...word];
  const changed = (at: number, taken: number, ...put: string[]) =>
    letters.toSpliced(at, taken, ...put).join('');
  const near = letters.flatMap((letter, at) => [
    changed(at, 1),
    changed(at, 2, letters[at + 1] ?? '', letter),
    ...LETTERS.flatMap((other) => [changed(at, 1, other), changed(at, 0, other)]),
  ]);
  const all = new Set([...near, ...LETTERS.map((other) => word + other)]);
  all.delete(word);
  return [...all];
}
