import fc from 'fast-check';
import type { Database } from '../server/src/platform/database/connect.ts';
import { replaceClock, setClock } from '../server/testing/clock.ts';
import { makeAccount, makeListing, type TestListing } from '../server/testing/factories.ts';
import { fewerUnlessNightly } from '../server/testing/nightly.ts';
import { check } from './check-property.ts';
import { type Experiment, mustBeNone } from './experiment.ts';
import { LedgerModel } from './ledger-model.ts';
import { anyCommands, PATIENT_MS, type Real } from './model-commands.ts';
import { findFaults } from './soundness.ts';

const LANES = 4;
const MOST_COMMANDS = 60;
const FREE_CALLS = 2;
const START = Date.UTC(2031, 4, 14, 12);
/** Maximum number of full ledger checks, whose cost grows with each sequence. */
const MOST_CHECKS = 100;
const FAULTS_EVERY = 25;

/** C3: random sequences of events on an account; each step is compared with the model. */
export const modelCheck: Experiment = {
  id: 'C3',
  promise:
    'after any sequence of calls, failures, crashes and changes the ledger is what a model in memory says',
  unit: 'sequences',
  amount: { suite: fewerUnlessNightly(28, 200), long: 20_000 },
  async run(arena, sequences) {
    const counts: Record<string, number> = {};
    let done = 0;
    const faultsEvery = Math.max(FAULTS_EVERY, Math.ceil(sequences / MOST_CHECKS));
    const lane = async (_: unknown, place: number) => {
      const { database } = await arena.database({
        poolSize: 4,
        acquireTimeoutMs: PATIENT_MS,
        statementTimeoutMs: PATIENT_MS,
      });
      await replaceClock(database);
      const listings = [await makeListing(database), await makeListing(database, { type: 'skill' })] as const;
      const property = fc.asyncProperty(anyCommands(MOST_COMMANDS), async (commands) => {
        const { model, real } = await begin(database, [...listings], counts);
        await fc.asyncModelRun(() => ({ model, real }), commands);
        done += 1;
        if (done % faultsEvery === 0) mustBeNone(await findFaults(database));
        arena.progress(done);
      });
      await check(property, Math.ceil(sequences / LANES), arena.random.fork(`lane ${place}`).seed);
      await setClock(database, null);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    return { sequences: done, ...counts };
  },
};

async function begin(
  database: Database,
  listings: TestListing[],
  counts: Record<string, number>,
): Promise<{ model: LedgerModel; real: Real }> {
  await setClock(database, new Date(START).toISOString());
  const account = await makeAccount(database);
  const real = { database, account, secret: account.key.secret, listings: listings as never, counts };
  return { model: new LedgerModel(START, FREE_CALLS), real };
}
