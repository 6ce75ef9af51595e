import { fileURLToPath } from 'node:url';
import { startChild } from './child.mjs';
import { middle } from './figures.ts';
import { tell } from './progress.mjs';

export const ROUNDS = Number(process.env.ROUNDS ?? 3);

/** Runs the work with the process that makes the load; `run` gives it an order and answers the figures. */
export async function withLoad(work) {
  const child = startChild(fileURLToPath(new URL('./load.mjs', import.meta.url)));
  try {
    return await work(async (order) => (await child.tell(order)).figures);
  } finally {
    await child.stop();
  }
}

/**
 * Runs all orders in turns, so that whatever slows the machine slows each, and keeps the median of each order's rounds. Calls
 * `prepare` with each order's name before it runs. Returns a reader of the figures: `figure(name, 'perSecond')`.
 */
export async function inTurns(run, orders, prepare = async () => undefined) {
  const seen = Object.fromEntries(Object.keys(orders).map((name) => [name, []]));
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, order] of Object.entries(orders)) {
      tell(round === 0 ? `to warm up: ${name}` : `round ${round} of ${ROUNDS}: ${name}`);
      await prepare(name, order);
      const figures = typeof order === 'function' ? await order() : await run(order);
      if (round > 0) seen[name].push(figures);
    }
  }
  return (name, figure) => middle(seen[name].map((figures) => figures[figure]));
}
