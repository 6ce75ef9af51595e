/**
 * Rounds amounts to so many decimals in such a way that the rounded ones add up to their rounded sum, as every printed
 * column should: those nearest to the next step give way. No amount moves by more than one step.
 */
export function addUp(amounts: readonly number[], decimals: number): { rounded: number[]; sum: number } {
  const scale = 10 ** decimals;
  const exact = amounts.map((amount) => amount * scale);
  const steps = exact.map((amount) => Math.floor(amount));
  const total = Math.round(exact.reduce((sum, amount) => sum + amount, 0));
  let missing = total - steps.reduce((sum, step) => sum + step, 0);
  const byRest = exact
    .map((amount, place) => ({ place, rest: amount - Math.floor(amount) }))
    .sort((a, b) => b.rest - a.rest);
  for (const { place } of byRest) {
    if (missing <= 0) break;
    steps[place] = (steps[place] ?? 0) + 1;
    missing -= 1;
  }
  return { rounded: steps.map((step) => step / scale), sum: total / scale };
}
