import { singleFlight } from '../batching/concurrent-calls.ts';
import type { Connection } from '../database/connect.ts';
import { type DatabaseWait, waitForDatabase } from '../database/unusable-database.ts';
import { isDirectSession, QUICK, withSession } from '../database/with-session.ts';
import { Replica, type ReplicaParts } from './replica.ts';
import { markTimeline, readPoint, type WalPoint } from './wal-position.ts';

/** Server that a read uses, and the reason. */
type Choice = `${'replica' | 'primary'} ${string}`;

/** Reads of public data, distributed over replicas that have replayed enough of the primary's log. */
export interface ReplicatedReads {
  /**
   * Returns the connection for all statements of one response, on a replica or the primary. That server has everything
   * that was committed before this call, so that a client never sees an older state than before. Never rejects.
   */
  begin(): Promise<Connection>;
  /** Connection that chooses a replica or the primary for each statement. */
  readonly each: Connection;
  readonly replicas: readonly Replica[];
  /** Number of reads since the start, by server and reason. */
  readonly counts: ReadonlyMap<Choice, number>;
  /** Returns the current log position of the primary. */
  primaryPosition(): Promise<number>;
  close(): Promise<void>;
}

interface ReplicatedReadsOptions extends Omit<ReplicaParts, 'url' | 'onFallback'> {
  /** Returns a connection of the primary that may write. */
  writes(): Connection;
}

const MARK_AGAIN_MS = 1_000;

/** Returns a function that stores each timeline of the primary once. It tries again after failures. */
function markOnce(writes: () => Connection): (point: WalPoint) => void {
  let marked = '';
  let restsUntil = 0;
  return ({ timeline }) => {
    if (marked === timeline || performance.now() < restsUntil) return;
    [marked, restsUntil] = [timeline, performance.now() + MARK_AGAIN_MS];
    markTimeline(writes()).catch(() => {
      marked = '';
    });
  };
}

/**
 * Creates replicated reads. `primary` in the options is the pool for reads from the primary. Replicas connect in the
 * background. Without the comparison of positions, `replicas.long.test.ts` fails.
 */
export function readFromReplicas(urls: readonly string[], options: ReplicatedReadsOptions): ReplicatedReads {
  const { primary } = options;
  const mark = markOnce(options.writes);
  const counts = new Map<Choice, number>();
  const count = (choice: Choice) => counts.set(choice, (counts.get(choice) ?? 0) + 1);
  const onFallback = () => count('primary statement_failed');
  const replicas = urls.map((url) => new Replica({ ...options, url, onFallback }));
  // One statement reads the position for all reads that begin while the previous one is in flight.
  const askPoint = singleFlight(() => readPoint(primary));
  let turn = 0;

  function retreat(reason: string): Connection {
    count(`primary ${reason}`);
    return primary;
  }

  async function begin(): Promise<Connection> {
    if (!replicas.some((replica) => replica.status() === 'ready')) {
      return retreat(replicas.some((replica) => replica.status() === 'behind') ? 'behind' : 'none_there');
    }
    const point = await askPoint().catch(() => null);
    if (point === null) return retreat('position_unknown');
    turn = (turn + 1) % replicas.length;
    for (let place = 0; place < replicas.length; place += 1) {
      const replica = replicas[(turn + place) % replicas.length] as Replica;
      if (!replica.followsTimeline(point)) mark(point);
      const found = replica.leaseAt(point);
      const lease = await found;
      if (lease === null) continue;
      count(found === lease ? 'replica there' : 'replica waited');
      return lease;
    }
    return retreat('behind');
  }

  return {
    begin,
    each: {
      models: primary.models,
      transaction: null,
      query: async <Row extends object>(sql: string, bind?: readonly unknown[]) =>
        (await begin()).query<Row>(sql, bind),
    },
    replicas,
    counts,
    primaryPosition: async () => (await askPoint()).position,
    close: async () => void (await Promise.all(replicas.map((replica) => replica.close()))),
  };
}

const IDENTITY = `SELECT c.system_identifier::text AS cluster, current_database() AS database,
  pg_backend_pid() AS pid FROM pg_control_system() c`;

interface Identity {
  readonly cluster: string;
  readonly database: string;
  /** False behind a pooler: the server process that answers is not the one on which the session was opened. */
  readonly isOwn: boolean;
}

/**
 * Rejects if an address cannot be a replica of the database: its server belongs to another cluster, it names another
 * database, or a pooler is in front of it. Waits until the primary answers. Accepts a replica that does not answer;
 * nothing is read from the replica until it answers. Without the check, `require-replicas.db.test.ts` fails.
 */
export async function requireReplicas(
  urls: readonly string[],
  databaseUrl: string,
  wait: DatabaseWait,
): Promise<void> {
  if (urls.length === 0) return;
  const primary = await identifyPrimary(databaseUrl, wait);
  await Promise.all(urls.map((url) => requireReplica(url, primary)));
}

async function requireReplica(url: string, primary: Identity): Promise<void> {
  const replica = await identify(url).catch(() => null);
  if (replica === null) return;
  const refuse = (reason: string) => {
    throw new Error(
      `DATABASE_READ_URLS names ${new URL(url).host}, which is not usable as a replica: ${reason}. ` +
        'List replicas that stream from the server of DATABASE_URL, or unset it.',
    );
  };
  if (replica.cluster !== primary.cluster) refuse('it belongs to another cluster than DATABASE_URL');
  if (replica.database !== primary.database)
    refuse(`its database is ${replica.database}, and that of DATABASE_URL ${primary.database}`);
  if (!replica.isOwn) refuse('it is behind a pooler, which hides restarts of its server');
}

/** 42501: the role may not call the function. */
const NO_RIGHT = '42501';

async function identifyPrimary(url: string, wait: DatabaseWait): Promise<Identity> {
  return waitForDatabase(() => identify(url), wait).catch((error: Error & { code?: string }) => {
    const advice =
      error.code === NO_RIGHT
        ? 'grant its user the right (GRANT EXECUTE ON FUNCTION pg_control_system() TO …)'
        : 'check DATABASE_URL';
    throw new Error(
      `DATABASE_READ_URLS lists replicas, but the server of DATABASE_URL does not report which cluster it is: ${error.message}. ` +
        `To compare each replica with it, ${advice}, or unset DATABASE_READ_URLS.`,
    );
  });
}

async function identify(url: string): Promise<Identity> {
  return withSession(url, QUICK, async (session) => {
    const { rows } = await session.query(IDENTITY);
    return { ...rows[0], isOwn: isDirectSession(session, rows[0].pid) };
  });
}
