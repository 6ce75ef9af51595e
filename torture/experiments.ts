import { balanced } from './balanced/balanced.ts';
import { callHistory } from './call-history.ts';
import { clientAborts } from './client-aborts.ts';
import { cutPoints } from './cut-points.ts';
import { databaseKills } from './database-kills.ts';
import { deadlockStorm } from './deadlock-storm.ts';
import type { Experiment } from './experiment.ts';
import { failover } from './failover/failover.ts';
import { fullDisk } from './full-disk.ts';
import { fullPool } from './full-pool.ts';
import { injection } from './injection/injection.ts';
import { interleavings } from './interleavings.ts';
import { keySlots } from './key-slots.ts';
import { lastCredits } from './last-credits.ts';
import { massExpiry } from './mass-expiry.ts';
import { midRunChanges } from './mid-run-changes.ts';
import { modelCheck } from './model-check.ts';
import { rollingRestart } from './rolling-restart.ts';
import { sameKeyStorm } from './same-key-storm.ts';
import { secrets } from './secrets/secrets.ts';
import { serverKills } from './server-kills.ts';
import { skewedClock } from './skewed-clock.ts';
import { strikes } from './strikes/strikes.ts';
import { terminalRace } from './terminal-race.ts';
import { upstreamFaults } from './upstream-faults.ts';

/** All experiments: concurrent calls (C), failing parts (F), and hostile input (B). */
export const EXPERIMENTS: readonly Experiment[] = [
  sameKeyStorm,
  lastCredits,
  modelCheck,
  interleavings,
  terminalRace,
  deadlockStorm,
  callHistory,
  midRunChanges,
  keySlots,
  balanced,
  serverKills,
  databaseKills,
  failover,
  cutPoints,
  strikes,
  upstreamFaults,
  fullPool,
  clientAborts,
  rollingRestart,
  skewedClock,
  massExpiry,
  fullDisk,
  injection,
  secrets,
];
