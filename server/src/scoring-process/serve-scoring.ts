import { pino } from 'pino';
import { readEnvironment } from '../config/load-config.ts';
import { loadScoringConfig } from '../config/scoring-config.ts';
import { openContract } from '../http/contract/prepared-contract.ts';
import { createRequestReader } from './read-scoring-request.ts';
import { buildScoringApp, SCORE_PATH } from './scoring-app.ts';

/** Runs the scoring process until it is told to stop; then it answers what it was asked before, and ends. */
export async function serveScoring(): Promise<void> {
  const { host, port, token, logLevel } = loadScoringConfig(readEnvironment());
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
    throw new Error(`SCORING_HOST ${host}, SCORING_PORT ${port} cannot be listened on: ${error.message}.`);
  });
  process.stdout.write(`Scoring requests are answered at ${address}${SCORE_PATH}\n`);
}
