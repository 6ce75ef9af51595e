import { fileURLToPath } from 'node:url';
import { startChild } from './child.mjs';
import { middle } from './figures.ts';
import { tell } from './progress.mjs';

export const ROUNDS = Number(process.env.ROUNDS ?? 3);

/** Calls `work` with a function that sends an order to a process that makes the load, and returns the measured figures. */
export async function withLoad(work) {
  const child = startChild(fileURLToPath(new URL('./load.mjs', import.meta.url)));
  try {
    return await work(async (order) => (await child.tell(order)).figures);
  } finally {
    await child.stop();
  }
}

/**
 * Runs all orders once per round, for several rounds, so that other load on the machine affects all orders alike. Calls
 * `prepare` with the name of each order before it runs. Returns a function such as `figure(name, 'perSecond')`, which
 * returns the median over the rounds.
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
