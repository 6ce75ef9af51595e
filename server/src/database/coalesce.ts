import type { Connection } from './connect.ts';
import { mayGoAlone } from './database-errors.ts';
import type { DatabaseWatch } from './database-watch.ts';
import { createRoom, type Room } from './room.ts';
import type { Kind, Turns } from './turns.ts';

/** In place of an answer: the statement did nothing for this item yet, and a later one takes it along. */
export const UNDECIDED = Symbol('undecided');

/** What somebody has no more use for was not sent, and will not be. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp';
}

/** How items of one kind are sent together. */
export interface Coalescing<Item, Answer> {
  /** What those who watch the database call its statements; without it they are told of none. */
  readonly name?: string;
  readonly watch?: DatabaseWatch | undefined;
  /**
   * Sends all items as one statement and answers each in its place. Rejects only where nothing was done for any of them,
   * or where nobody can tell. At least one item of a batch must be decided, an item by itself always.
   */
  run(items: readonly Item[]): Promise<readonly (Answer | typeof UNDECIDED)[]>;
  /** Whom an item belongs to: lanes take turns, so that one with much to do does not keep the others waiting. */
  laneOf(item: Item): string;
  /** Items of one key never travel at the same time; without it any do. */
  keyOf?(item: Item): string;
  /** The moment (of `performance.now()`) after which nobody has any use for an item: one still unsent is dropped (GivenUp). */
  untilOf?(item: Item): number | undefined;
  /** Shared with kinds whose statements lock the same rows of a lane: each lane is then in one of their statements at a time. */
  readonly turns?: Turns;
  /** It ends what the other kinds begin. */
  readonly ends?: boolean;
  /** Nobody waits for its items: they are collected for so long before they go, then as many as one statement takes. */
  readonly lingersMs?: number;
  readonly maxBatch?: number;
  readonly maxInFlight?: number;
  /** Shared with other kinds; without it only `maxInFlight` bounds how many statements there are at a time. */
  readonly room?: Room;
}

const MAX_BATCH = 64;
/**
 * Of more than twice so many that somebody waits for half goes: what goes all together comes back all together, and either this
 * process or the database has nothing to do.
 */
const LEAST_HALF = 32;
const MAX_IN_FLIGHT = 2;
/** Lanes of a refused batch that go one by one at the same time, of a pool that others need too. */
const MAX_APART = 4;

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly lane: string;
  readonly key: string | null;
  readonly until: number;
  /** Who watches the database knows it by this. */
  readonly asker: unknown;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Collects what comes in while statements are under way and sends it as one. What comes alone goes at once, by itself.
 * A batch that failed is sent again item by item, so that no item has another's failure; where the outcome of the batch
 * is unknown, or the database is away, each item is told so. What goes one by one takes no turn from the batches, and its
 * lanes join none until they are through: what holds one account up holds up no second batch of the others.
 */
export function coalesce<Item, Answer>(options: Coalescing<Item, Answer>): (item: Item) => Promise<Answer> {
  const { run, maxBatch = MAX_BATCH, maxInFlight = MAX_IN_FLIGHT } = options;
  const { name = '' } = options;
  const watch = name === '' ? undefined : options.watch;
  const { turns = null, ends = false, room = createRoom(maxInFlight), lingersMs = 0 } = options;
  const isAwaited = lingersMs === 0;
  const kind: Kind = { ends, waitsFor: (lane) => queue.waitsFor(lane), wake: room.wake };
  const queue = createQueue<Waiting<Item, Answer>>((lane) => turns?.mayGo(lane, kind) ?? true);
  turns?.join(kind);
  room.join({
    waitsSince: () => (inFlight < maxInFlight && !lingers && !queue.isEmpty() ? since : null),
    waiting: () => (isAwaited ? queue.size() : 0),
    send,
  });
  let inFlight = 0;
  let since = 0;
  let lingers = false;

  /** What still lingers keeps no process from ending, and ends with it. */
  function linger(): void {
    lingers = true;
    const go = () => {
      lingers = false;
      room.wake();
    };
    setTimeout(go, lingersMs).unref();
  }

  async function sent(
    some: readonly Waiting<Item, Answer>[],
  ): Promise<readonly (Answer | typeof UNDECIDED)[]> {
    const ended = watch?.sends(
      name,
      some.map(({ asker }) => asker),
    );
    try {
      const answers = await run(some.map(({ item }) => item));
      ended?.(false);
      return answers;
    } catch (error) {
      ended?.(true);
      throw error;
    }
  }

  /** What is answered makes room before anybody hears of it: the next statement is at work while the answers are worked on. */
  async function decide(some: readonly Waiting<Item, Answer>[], leave?: () => void): Promise<void> {
    const answers = await sent(some);
    queue.putBack(some.filter((_, place) => answers[place] === UNDECIDED));
    queue.release(some);
    leave?.();
    some.forEach((each, place) => {
      const answer = answers[place] as Answer | typeof UNDECIDED;
      if (answer !== UNDECIDED) each.resolve(answer);
    });
  }

  async function travel(batch: readonly Waiting<Item, Answer>[], leave: () => void): Promise<void> {
    try {
      await decide(batch, leave);
    } catch (error) {
      if (batch.length > 1 && mayGoAlone(error)) {
        const lanes = lanesOf(batch);
        queue.hold(lanes);
        const next = lanes.values();
        for (let worker = 0; worker < MAX_APART; worker += 1) void apart(batch, next);
      } else fail(batch, error);
    }
  }

  /** Of a lane one at a time, so that what all of it waits for takes one session, not all. */
  async function apart(batch: readonly Waiting<Item, Answer>[], lanes: Iterable<string>): Promise<void> {
    for (const lane of lanes) {
      for (const each of batch.filter((one) => one.lane === lane)) {
        if (isOver(each)) fail([each], new GivenUp());
        else await decide([each]).catch((error) => fail([each], error));
      }
      queue.free(lane);
      room.wake();
    }
  }

  function fail(some: readonly Waiting<Item, Answer>[], error: unknown): void {
    queue.release(some);
    for (const each of some) each.reject(error);
  }

  function send(): boolean {
    const half = Math.max(LEAST_HALF, Math.ceil(room.waiting() / 2));
    const batch = queue.take(isAwaited ? Math.min(maxBatch, half) : maxBatch);
    if (batch.length === 0) return false;
    // What it leaves behind waits its turn anew.
    since = room.place();
    const lanes = turns ? lanesOf(batch) : [];
    turns?.take(lanes);
    inFlight += 1;
    const leaveRoom = room.enter(batch.length);
    let isIn = true;
    const leave = () => {
      if (!isIn) return;
      isIn = false;
      inFlight -= 1;
      turns?.free(lanes);
      leaveRoom();
    };
    void travel(batch, leave).finally(leave);
    return true;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const key = options.keyOf?.(item) ?? null;
      const until = options.untilOf?.(item) ?? Number.POSITIVE_INFINITY;
      if (queue.isEmpty()) {
        since = room.place();
        if (lingersMs > 0) linger();
      }
      const asker = watch?.asks?.();
      queue.add({ item, lane: options.laneOf(item), key, until, asker, resolve, reject });
      room.wake();
    });
}

const lanesOf = (some: readonly { lane: string }[]) => [...new Set(some.map(({ lane }) => lane))];
const isOver = ({ until }: { until: number }) => until < performance.now();

interface Queued {
  readonly lane: string;
  readonly key: string | null;
  readonly until: number;
  reject(error: unknown): void;
}

/** Lanes that take turns, those that wait until they are through by themselves, and the keys that are under way. */
function createQueue<Each extends Queued>(mayGo: (lane: string) => boolean) {
  const lanes = new Map<string, Each[]>();
  const underWay = new Set<string>();
  const held = new Map<string, number>();

  function takeOne(lane: string): Each | undefined {
    if (held.has(lane) || !mayGo(lane)) return undefined;
    const waiting = lanes.get(lane) as Each[];
    const place = waiting.findIndex(({ key }) => key === null || !underWay.has(key));
    if (place < 0) return undefined;
    const [each] = waiting.splice(place, 1) as [Each];
    if (each.key !== null) underWay.add(each.key);
    // A lane that had its turn goes behind the others.
    lanes.delete(lane);
    if (waiting.length > 0) lanes.set(lane, waiting);
    return each;
  }

  /** Takes out what nobody waits for any more. */
  function drop(): void {
    for (const [lane, waiting] of lanes) {
      const over = new Set(waiting.filter(isOver));
      if (over.size === 0) continue;
      const left = waiting.filter((each) => !over.has(each));
      if (left.length > 0) lanes.set(lane, left);
      else lanes.delete(lane);
      for (const each of over) each.reject(new GivenUp());
    }
  }

  return {
    isEmpty: () => lanes.size === 0,
    size: () => [...lanes.values()].reduce((sum, waiting) => sum + waiting.length, 0),
    waitsFor: (lane: string) => lanes.has(lane) && !held.has(lane),
    add(each: Each): void {
      const waiting = lanes.get(each.lane);
      if (waiting) waiting.push(each);
      else lanes.set(each.lane, [each]);
    },
    /** Those come before the others of their lanes, in their order. */
    putBack(some: readonly Each[]): void {
      for (const each of some.toReversed()) lanes.set(each.lane, [each, ...(lanes.get(each.lane) ?? [])]);
    },
    /** One of each lane in turn, until there are so many or no more. */
    take(most: number): Each[] {
      drop();
      const batch: Each[] = [];
      for (let before = -1; before < batch.length && batch.length < most; ) {
        before = batch.length;
        for (const lane of [...lanes.keys()]) {
          const each = batch.length < most && takeOne(lane);
          if (each) batch.push(each);
        }
      }
      return batch;
    },
    hold(some: readonly string[]): void {
      for (const lane of some) held.set(lane, (held.get(lane) ?? 0) + 1);
    },
    free(lane: string): void {
      const others = (held.get(lane) ?? 1) - 1;
      if (others > 0) held.set(lane, others);
      else held.delete(lane);
    },
    release(some: readonly Each[]): void {
      for (const { key } of some) if (key !== null) underWay.delete(key);
    },
  };
}

/** One of something for each connection, for as long as that lives. */
export function onEach<Part>(make: (connection: Connection) => Part): (connection: Connection) => Part {
  const parts = new WeakMap<Connection, Part>();
  return (connection) => {
    const known = parts.get(connection);
    if (known) return known;
    const part = make(connection);
    parts.set(connection, part);
    return part;
  };
}
