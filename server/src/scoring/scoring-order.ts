/**
 * Splits subjects into generations, parents before their children, so that a child finds its parent's score. Only
 * parents within `ids` matter. Each generation is in id order; a circle ends up in the last one.
 */
export function scoringOrder(ids: readonly string[], parentOf: ReadonlyMap<string, string>): string[][] {
  let waiting = [...new Set(ids)].sort();
  const generations: string[][] = [];
  while (waiting.length > 0) {
    const open = new Set(waiting);
    const ready = waiting.filter((id) => !open.has(parentOf.get(id) ?? ''));
    generations.push(ready.length > 0 ? ready : waiting);
    const done = new Set(generations.at(-1));
    waiting = waiting.filter((id) => !done.has(id));
  }
  return generations;
}
