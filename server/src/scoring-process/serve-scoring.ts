import { pino } from 'pino';
import { readEnvironment } from '../config/load-config.ts';
import { warnOfMisspelt } from '../config/read-config.ts';
import { loadScoringConfig } from '../config/scoring-config.ts';
import { openContract } from '../http/contract/prepared-contract.ts';
import { unusableAddress } from '../http/unusable-address.ts';
import { createRequestReader } from './read-scoring-request.ts';
import { buildScoringApp, SCORE_PATH } from './scoring-app.ts';

/** Runs the scoring process until it is told to stop; then it answers what it was asked before, and ends. */
export async function serveScoring(): Promise<void> {
  const environment = readEnvironment();
  warnOfMisspelt(environment);
  const { host, port, token, logLevel } = loadScoringConfig(environment);
  const log = pino({ level: logLevel, base: null }, pino.destination(2));
  const app = buildScoringApp({ token, log, readRequest: createRequestReader(await openContract()) });
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    app.close().then(() => process.exit(0));
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  const address = await app.listen({ host, port }).catch((error: NodeJS.ErrnoException) => {
    throw unusableAddress(error, { host, port }, 'SCORING_');
  });
  process.stdout.write(`Scoring requests are answered at ${address}${SCORE_PATH}\n`);
}
