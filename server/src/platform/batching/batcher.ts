import type { DatabaseObserver } from '../database/connect.ts';
import { mayRetryIndividually } from '../database/database-errors.ts';
import {
  type ConcurrencyLimiter,
  createConcurrencyLimiter,
  type KeyedMutex,
  type MutexUser,
} from './concurrency-control.ts';

/** Result for an item that the statement skipped; the item is retried in the next batch. */
export const RETRY_IN_NEXT_BATCH = Symbol('undecided');

/** Thrown when an item's deadline passes before it is sent. */
export class DeadlineExceededError extends Error {
  override readonly name = 'DeadlineExceededError';
}

/** Thrown by `run` if one of the items prevented the statement from being sent. Nothing was done for any item. */
export class BatchNotSentError extends Error {
  override readonly name = 'BatchNotSent';
}

/** Options of a batcher. The items of one batcher are called a kind. */
export interface BatcherOptions<Item, Answer> {
  /** Statement name reported to `watch`; without it nothing is reported. */
  readonly name?: string;
  readonly watch?: DatabaseObserver | undefined;
  /**
   * Sends all items as one statement and returns their results in order. At least one result must not be
   * RETRY_IN_NEXT_BATCH. Rejects only if nothing was done for any item, or if the outcome is unknown.
   */
  run(items: readonly Item[]): Promise<readonly (Answer | typeof RETRY_IN_NEXT_BATCH)[]>;
  /**
   * Returns an item's partition key. Batches take items from the partitions in turn, so a busy one does not delay
   * others.
   */
  partitionKeyOf(item: Item): string;
  /** Items with the same key are never in flight at the same time. Default: no restriction. */
  keyOf?(item: Item): string;
  /** Deadline of an item (as `performance.now()`). If the item was not sent by then, the next batch rejects it. */
  deadlineOf?(item: Item): number | undefined;
  /**
   * Mutex shared with other kinds whose statements lock the same rows. A partition is part of only one of their batches
   * at a time.
   */
  readonly mutex?: KeyedMutex;
  /** True for statements that end runs of metered calls. They take precedence over statements that open runs. */
  readonly isTerminal?: boolean;
  readonly maxBatch?: number;
  readonly maxInFlight?: number;
  /**
   * Concurrency limiter shared with other kinds of items. By default, only `maxInFlight` limits the statements in
   * flight.
   */
  readonly limiter?: ConcurrencyLimiter;
}

const MAX_BATCH = 64;
/**
 * Number of items that a batch may take in any case. Above it, a batch takes at most half of the items that wait for
 * the limiter, so that the process and PostgreSQL work at the same time.
 */
const MIN_HALF_BATCH = 32;
const MAX_IN_FLIGHT = 2;
/** Partitions of a rejected batch that are retried in parallel. Few, because other statements need the same pool. */
const MAX_PARALLEL_RETRIES = 4;

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly partition: string;
  readonly key: string | null;
  readonly deadline: number;
  /** Value that `watch.onQueued` returned for the item. */
  readonly caller: unknown;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Batches items that arrive in one turn of the event loop, or while the maximum number of statements is in flight. An
 * item that arrives while none is in flight is sent at once. Sending half batches increases throughput to 1.17 ×
 * (`npm run bench -- metered`). Tests: `batcher.test.ts` and `batcher-kinds.test.ts` fail without the round-robin
 * order, the deadlines or the early release of the slot; `batcher-retries.test.ts` fails without the individual
 * retries.
 * - If a batch is rejected, its items are retried one at a time, so that failures are isolated. Retries hold no slot of
 *   the limiter, and their partitions join no batch of this batcher until the retries end, so that a partition with a
 *   locked row does not also delay a later batch of other partitions.
 * - If the outcome is unknown or the database is unavailable, every item is rejected.
 *
 * `const read = createBatcher({ run: readAll, partitionKeyOf: ({ account }) => account }); await read(item)`
 */
export function createBatcher<Item, Answer>(
  options: BatcherOptions<Item, Answer>,
): (item: Item) => Promise<Answer> {
  const { run, name = '', maxBatch = MAX_BATCH, maxInFlight = MAX_IN_FLIGHT } = options;
  const watch = name === '' ? undefined : options.watch;
  const {
    mutex: turns = null,
    isTerminal: ends = false,
    limiter: room = createConcurrencyLimiter(maxInFlight),
  } = options;
  const kind: MutexUser = {
    isTerminal: ends,
    hasWaiting: (partition) => queue.waitsFor(partition),
    onRelease: room.schedule,
  };
  const queue = createQueue<Waiting<Item, Answer>>((partition) => turns?.canAcquire(partition, kind) ?? true);
  turns?.register(kind);
  room.register({
    oldestPosition: () => (inFlight < maxInFlight && !queue.isEmpty() ? position : null),
    waitingCount: queue.size,
    send,
  });
  let inFlight = 0;
  let position = 0;

  async function runWatched(
    some: readonly Waiting<Item, Answer>[],
  ): Promise<readonly (Answer | typeof RETRY_IN_NEXT_BATCH)[]> {
    const ended = watch?.onSend(
      name,
      some.map(({ caller }) => caller),
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

  /**
   * Runs a batch and resolves its callers. Releases the slot first, so that the next batch starts while the callers
   * run.
   */
  async function runAndResolve(
    some: readonly Waiting<Item, Answer>[],
    releaseSlot?: () => void,
  ): Promise<void> {
    const answers = await runWatched(some);
    queue.requeue(some.filter((_, place) => answers[place] === RETRY_IN_NEXT_BATCH));
    queue.release(some);
    releaseSlot?.();
    some.forEach((each, place) => {
      const answer = answers[place] as Answer | typeof RETRY_IN_NEXT_BATCH;
      if (answer !== RETRY_IN_NEXT_BATCH) each.resolve(answer);
    });
  }

  async function sendBatch(batch: readonly Waiting<Item, Answer>[], releaseSlot: () => void): Promise<void> {
    try {
      await runAndResolve(batch, releaseSlot);
    } catch (error) {
      if (batch.length > 1 && (error instanceof BatchNotSentError || mayRetryIndividually(error))) {
        const partitions = partitionsOf(batch);
        queue.suspend(partitions);
        const next = partitions.values();
        for (let worker = 0; worker < MAX_PARALLEL_RETRIES; worker += 1) void retryOneByOne(batch, next);
      } else fail(batch, error);
    }
  }

  /**
   * Retries the items of each partition one after the other, so that a lock that blocks the partition occupies only
   * one session.
   */
  async function retryOneByOne(
    batch: readonly Waiting<Item, Answer>[],
    partitions: Iterable<string>,
  ): Promise<void> {
    for (const partition of partitions) {
      for (const each of batch.filter((one) => one.partition === partition)) {
        if (isExpired(each)) fail([each], new DeadlineExceededError());
        else await runAndResolve([each]).catch((error) => fail([each], error));
      }
      queue.resume(partition);
      room.schedule();
    }
  }

  function fail(some: readonly Waiting<Item, Answer>[], error: unknown): void {
    queue.release(some);
    for (const each of some) each.reject(error);
  }

  function send(): boolean {
    const half = Math.max(MIN_HALF_BATCH, Math.ceil(room.waitingCount() / 2));
    const batch = queue.take(Math.min(maxBatch, half));
    if (batch.length === 0) return false;
    // If items remain in the queue, the kind gets a new position in the waiting order.
    position = room.newPosition();
    const partitions = turns ? partitionsOf(batch) : [];
    turns?.acquire(partitions);
    inFlight += 1;
    const releaseLimiter = room.acquire();
    let holdsSlot = true;
    const releaseSlot = () => {
      if (!holdsSlot) return;
      holdsSlot = false;
      inFlight -= 1;
      turns?.release(partitions);
      releaseLimiter();
    };
    void sendBatch(batch, releaseSlot).finally(releaseSlot);
    return true;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const key = options.keyOf?.(item) ?? null;
      const deadline = options.deadlineOf?.(item) ?? Number.POSITIVE_INFINITY;
      if (queue.isEmpty()) position = room.newPosition();
      const caller = watch?.onQueued?.();
      queue.add({ item, partition: options.partitionKeyOf(item), key, deadline, caller, resolve, reject });
      room.schedule();
    });
}

const partitionsOf = (some: readonly { partition: string }[]) => [
  ...new Set(some.map(({ partition }) => partition)),
];
const isExpired = ({ deadline }: { deadline: number }) => deadline < performance.now();

interface Queued {
  readonly partition: string;
  readonly key: string | null;
  readonly deadline: number;
  reject(error: unknown): void;
}

/**
 * Creates a queue that takes items from its partitions in turn. Skips partitions for which `mayGo` returns false or
 * whose items are being retried, and items whose key is in flight.
 */
function createQueue<Each extends Queued>(mayGo: (partition: string) => boolean) {
  const partitions = new Map<string, Each[]>();
  const keysInFlight = new Set<string>();
  const suspended = new Map<string, number>();

  function takeOne(partition: string): Each | undefined {
    if (suspended.has(partition) || !mayGo(partition)) return undefined;
    const waiting = partitions.get(partition) as Each[];
    const place = waiting.findIndex(({ key }) => key === null || !keysInFlight.has(key));
    if (place < 0) return undefined;
    const [each] = waiting.splice(place, 1) as [Each];
    if (each.key !== null) keysInFlight.add(each.key);
    // Move the partition to the end of the order.
    partitions.delete(partition);
    if (waiting.length > 0) partitions.set(partition, waiting);
    return each;
  }

  /** Rejects items whose deadline has passed. */
  function rejectExpired(): void {
    for (const [partition, waiting] of partitions) {
      const over = new Set(waiting.filter(isExpired));
      if (over.size === 0) continue;
      const left = waiting.filter((each) => !over.has(each));
      if (left.length > 0) partitions.set(partition, left);
      else partitions.delete(partition);
      for (const each of over) each.reject(new DeadlineExceededError());
    }
  }

  return {
    isEmpty: () => partitions.size === 0,
    size: () => [...partitions.values()].reduce((sum, waiting) => sum + waiting.length, 0),
    waitsFor: (partition: string) => partitions.has(partition) && !suspended.has(partition),
    add(each: Each): void {
      const waiting = partitions.get(each.partition);
      if (waiting) waiting.push(each);
      else partitions.set(each.partition, [each]);
    },
    /** Puts items back at the front of their partitions, in their order. */
    requeue(some: readonly Each[]): void {
      for (const each of some.toReversed())
        partitions.set(each.partition, [each, ...(partitions.get(each.partition) ?? [])]);
    },
    /** Takes up to `most` items: one of each partition, then a second one of each, and so on. */
    take(most: number): Each[] {
      rejectExpired();
      const batch: Each[] = [];
      for (let before = -1; before < batch.length && batch.length < most; ) {
        before = batch.length;
        for (const partition of [...partitions.keys()]) {
          const each = batch.length < most && takeOne(partition);
          if (each) batch.push(each);
        }
      }
      return batch;
    },

    suspend(some: readonly string[]): void {
      for (const partition of some) suspended.set(partition, (suspended.get(partition) ?? 0) + 1);
    },

    resume(partition: string): void {
      const others = (suspended.get(partition) ?? 1) - 1;
      if (others > 0) suspended.set(partition, others);
      else suspended.delete(partition);
    },
    release(some: readonly Each[]): void {
      for (const { key } of some) if (key !== null) keysInFlight.delete(key);
    },
  };
}
