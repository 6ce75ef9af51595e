import { askTogether } from '../ask-together.ts';
import type { Connection } from '../connect.ts';
import { Replica, type ReplicaParts } from './replica.ts';
import { markTimeline, type Point, readPoint } from './server-point.ts';

/** Where a read went and why. */
type Choice = `${'replica' | 'primary'} ${string}`;

/** What everybody may read, read from replicas of the database as far as they have come. */
export interface ReplicatedReads {
  /**
   * Where somebody who begins to read now finds all that anybody was told of before: on a replica that has replayed it, or on
   * the primary. Never rejects. All statements of one answer go there, so that none finds an older state than the one before.
   */
  begin(): Promise<Connection>;
  /** Begins anew for each statement. */
  readonly each: Connection;
  readonly replicas: readonly Replica[];
  /** Reads since the start, by where they went and why. */
  readonly counts: ReadonlyMap<Choice, number>;
  /** How far the primary has come by now. */
  primaryPosition(): Promise<number>;
  close(): Promise<void>;
}

interface ReplicatedReadsOptions extends Omit<ReplicaParts, 'url' | 'onRetreat'> {
  /** The primary again, by sessions that write. */
  writes(): Connection;
}

const MARK_AGAIN_MS = 1_000;

/** Marks each timeline of the primary once, and again where that failed. */
function markOnce(writes: () => Connection): (point: Point) => void {
  let marked = '';
  let restsUntil = 0;
  return ({ history }) => {
    if (marked === history || performance.now() < restsUntil) return;
    [marked, restsUntil] = [history, performance.now() + MARK_AGAIN_MS];
    markTimeline(writes()).catch(() => {
      marked = '';
    });
  };
}

/** Makes them for the primary's `reads`; the replicas are connected to beside everything else. */
export function readFromReplicas(urls: readonly string[], options: ReplicatedReadsOptions): ReplicatedReads {
  const { primary } = options;
  const mark = markOnce(options.writes);
  const counts = new Map<Choice, number>();
  const count = (choice: Choice) => counts.set(choice, (counts.get(choice) ?? 0) + 1);
  const onRetreat = () => count('primary statement_failed');
  const replicas = urls.map((url) => new Replica({ ...options, url, onRetreat }));
  // One small statement for all who begin while the last one is under way.
  const askPoint = askTogether(() => readPoint(primary));
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
      if (!replica.shares(point)) mark(point);
      const found = replica.reach(point);
      const stint = await found;
      if (stint === null) continue;
      count(found === stint ? 'replica there' : 'replica waited');
      return stint;
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
