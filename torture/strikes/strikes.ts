import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { connect as dial, type Socket } from 'node:net';
import { postgresProcesses, signalAll } from '../../ops/ha/node-processes.ts';
import { connect, type Database } from '../../server/src/platform/database/connect.ts';
import { type Durable, openDurable } from '../durable-database.ts';
import { type Experiment, type Figures, mustHold } from '../experiment.ts';
import { scoreAfter } from '../scoring-upstream.ts';
import { mustBeWhole, openScene, underLoad } from '../under-load.ts';
import { openRoughLine, type RoughLine, type Weather } from './rough-line.ts';
import { STRACE, slowFsync } from './slow-fsync.ts';
import { type Strike, strikeOnce } from './strike.ts';

const PRLIMIT = '/usr/bin/prlimit';
const CALLERS = 12;
/** Leases of 12 s, so that holds left open by a fault expire within the run. */
const TIMINGS_SCALE = '0.2';
const BLACK_HOLE_MS = 30_000;

/** F5: the network, the database or the machine of a server fails for a limited time. */
export const strikes: Experiment = {
  id: 'F5',
  promise:
    'a bad network, a frozen, read-only or slow database and used-up descriptors are refusals in time; all goes on by itself',
  unit: 'rounds of all faults',
  amount: { suite: 1, long: 10 },
  missing() {
    if (!existsSync(PRLIMIT)) return "util-linux's prlimit is not installed";
    return existsSync(STRACE) ? null : "Debian's package strace is not installed";
  },
  async run(arena, rounds) {
    const durable = await openDurable(arena);
    const line = await openRoughLine(durable.url, arena.random.fork('line'));
    arena.atEnd(() => line.close());
    const database = connect(durable.url);
    arena.atEnd(() => database.close());
    const [reply, env] = [scoreAfter(() => arena.random.below(20)), { TIMINGS_SCALE }];
    const scene = await openScene(arena, { database, url: line.url, servers: 2, accounts: 8, reply, env });
    const all = [
      ...network(line),
      ...unwell(durable, database),
      descriptorsUsedUp(scene.fleet.pids(), scene.fleet.targets()),
    ];
    const worst: Record<string, Figures> = {};
    await underLoad(scene, CALLERS, async () => {
      for (let round = 0; round < rounds; round++) {
        for (const strike of all) {
          const seen = await strikeOnce(arena, scene, strike);
          worst[strike.name] = merge(worst[strike.name], seen);
        }
        arena.progress(round + 1);
      }
    });
    const { lost, doubled } = await mustBeWhole(scene);
    const told = Object.entries(worst).map(([name, seen]) => [
      name.replaceAll(' ', '_'),
      JSON.stringify(seen),
    ]);
    return { rounds, ...scene.history.counts(), lost, doubled, ...Object.fromEntries(told) };
  },
};

/** Merges the figures of rounds: the longest of each time, and the sum of each count. */
function merge(before: Figures | undefined, seen: Figures): Figures {
  if (!before) return seen;
  const both = (name: string, a: number, b: number) => (name.endsWith('Ms') ? Math.max(a, b) : a + b);
  return Object.fromEntries(
    Object.entries(seen).map(([name, value]) => [name, both(name, Number(before[name]), Number(value))]),
  );
}

function network(line: RoughLine): Strike[] {
  const weather = (name: string, kind: Weather, lastsMs: number): Strike => ({
    name,
    lastsMs,
    begin: () => line.become(kind),
    end: () => line.become('clear'),
  });
  return [
    weather('200 ms more each way', 'slow', 10_000),
    weather('every 20th piece stalls 2 s', 'stalls', 10_000),
    weather('a black hole', 'silent', BLACK_HOLE_MS),
    weather('connections are reset', 'resets', 3_000),
  ];
}

function unwell({ folder }: Durable, database: Database): Strike[] {
  const signal = (name: NodeJS.Signals) => signalAll(postgresProcesses(folder), name);
  const readOnly = async (state: 'on' | 'off') => {
    await database.query(`ALTER SYSTEM SET default_transaction_read_only = ${state}`);
    await database.query('SELECT pg_reload_conf()');
  };
  return [
    {
      name: 'PostgreSQL is frozen',
      lastsMs: 8_000,
      begin: () => signal('SIGSTOP'),
      end: () => signal('SIGCONT'),
    },
    slowFsync(folder),
    { name: 'it is read-only', lastsMs: 5_000, begin: () => readOnly('on'), end: () => readOnly('off') },
  ];
}

const CONNECTIONS = 100;

/** Limits each server to the files and connections that it has open, while many clients connect. */
function descriptorsUsedUp(pids: readonly number[], targets: readonly string[]): Strike {
  const limit = (pid: number, most: string) =>
    execFileSync(PRLIMIT, ['--pid', `${pid}`, `--nofile=${most}:`]);
  const knocking: Socket[] = [];
  let turnedAway = 0;
  return {
    name: 'descriptors are used up',
    lastsMs: 5_000,
    begin() {
      mustHold(pids.length > 0, 'no server runs');
      for (const pid of pids) limit(pid, `${readdirSync(`/proc/${pid}/fd`).length}`);
      for (const target of targets) {
        const { hostname, port } = new URL(target);
        for (let i = 0; i < CONNECTIONS; i++)
          knocking.push(
            dial(Number(port), hostname)
              .on('error', () => undefined)
              .on('close', () => (turnedAway += 1)),
          );
      }
    },
    end() {
      mustHold(turnedAway > 0, 'no connection was turned away: nothing was proved');
      for (const pid of pids) limit(pid, '4096');
      for (const socket of knocking.splice(0)) socket.destroy();
    },
  };
}
