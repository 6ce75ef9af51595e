import { cloneDatabase } from '../../server/testing/clone-database.ts';
import { startSharedServer } from '../../server/testing/global-setup.ts';
import { openForgedWorld } from './forged-world.ts';
import { FORGERIES } from './forgeries.ts';
import { GENUINE_PROOFS } from './genuine-proofs.ts';
import { tableOf, tryForgeries } from './try-forgeries.ts';

/**
 * Tries all forgeries and all genuine proofs on a separate server, and prints the outcomes. Returns whether every
 * forgery was refused and every genuine proof accepted.
 */
async function run(): Promise<boolean> {
  const postgres = await startSharedServer();
  try {
    const test = await cloneDatabase(postgres.url, postgres.template);
    const world = await openForgedWorld(test);
    const outcomes = await tryForgeries(world, FORGERIES);
    const genuine = await tryForgeries(world, GENUINE_PROOFS, FORGERIES.length + 1);
    await world.close();
    await test.close();
    console.log(tableOf(outcomes));
    const accepted = outcomes.filter(({ gain }) => gain !== null).length;
    const refused = genuine.filter(({ gain }) => gain === null);
    console.log(
      `\n${outcomes.length} forged proofs, ${accepted} accepted; ${genuine.length} genuine ones, ${refused.length} refused`,
    );
    for (const { forged, where } of refused) console.log(`refused, though genuine: ${forged} on ${where}`);
    return accepted === 0 && refused.length === 0;
  } finally {
    await postgres.stop();
  }
}

process.exitCode = (await run()) ? 0 : 1;
