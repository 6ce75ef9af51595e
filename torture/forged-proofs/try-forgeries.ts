import type { ForgedWorld } from './forged-world.ts';
import type { Forgery, Gain } from './forgery.ts';

/** Outcome of one forgery. */
export interface Outcome {
  readonly forged: string;
  readonly where: string;
  readonly gain: Gain;
}

/** Tries forgeries one after the other, each with separate accounts and handles. */
export async function tryForgeries(
  world: ForgedWorld,
  forgeries: readonly Forgery[],
  first = 1,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const [place, { forged, where, run }] of forgeries.entries()) {
    const number = first + place;
    const person = await world.person(`person-${number}`);
    const names = { victim: `kimsmith${number}`, attacker: `mallory${number}` };
    const gain = await run({ world, number, person, ...names }).catch((error: unknown) => {
      throw new Error(`"${forged}" on ${where} could not be tried`, { cause: error });
    });
    world.standIn.onRequest(null);
    // An unused fault means that the server never made the request, so nothing was forged; it would also affect the
    // next forgery.
    if (world.standIn.calm() > 0) throw new Error(`"${forged}" on ${where} was not read to its end`);
    outcomes.push({ forged, where, gain });
  }
  return outcomes;
}

/** Draws the table with the columns `forged`, `where` and `refused?`. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ forged, where, gain }) => [
    forged,
    where,
    gain === null ? 'refused' : `ACCEPTED: ${gain}`,
  ]);
  return [['forged', 'where', 'refused?'], ['---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}
