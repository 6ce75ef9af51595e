import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { readReplayed } from './wal-point.ts';

const PATIENCE_MS = 50;
/** Interval between two checks of the position while a read waits. */
const STEP_MS = 2;

interface Waiting {
  readonly position: number;
  settle(isThere: boolean): void;
}

/**
 * Tracks how much of the primary's log (WAL) a replica has replayed, and lets reads wait for a position. Without the
 * comparison of positions, `replicas.long.test.ts` fails.
 */
export class WalPosition {
  readonly #patienceMs: number;
  readonly #waiting = new Set<Waiting>();
  #session: pg.Client | null = null;
  #position = 0;
  /**
   * Position that the replica did not reach in time. Until it reaches this position, reads do not wait for the
   * replica.
   */
  #needed = 0;
  #isFollowing = false;

  /** `patienceMs` is the maximum wait of one read. */
  constructor(patienceMs = PATIENCE_MS) {
    this.#patienceMs = patienceMs;
  }

  /** Position at the last check. */
  get position(): number {
    return this.#position;
  }

  /** True if the replica lags more than a read would wait. */
  get isLagging(): boolean {
    return this.#position < this.#needed;
  }

  /** Follows the server of this session. Its position may be lower than that of the server before. */
  follow(session: pg.Client): void {
    this.#session = session;
    [this.#position, this.#needed] = [0, 0];
  }

  /** Stops following the session, which was lost. */
  unfollow(): void {
    this.#session = null;
  }

  advanceTo(position: number): void {
    this.#position = Math.max(this.#position, position);
  }

  /** Ends all waits as failed. */
  cancelWaits(): void {
    for (const each of [...this.#waiting]) each.settle(false);
  }

  /** Waits until a position is replayed. Resolves with false after `patienceMs`. */
  waitFor(position: number): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (isThere: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(each);
        resolve(isThere);
      };
      const each: Waiting = { position, settle };
      const timer = setTimeout(() => {
        this.#needed = Math.max(this.#needed, position);
        settle(false);
      }, this.#patienceMs);
      this.#waiting.add(each);
      void this.#follow();
    });
  }

  /** Polls the position while a read waits. */
  async #follow(): Promise<void> {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    const session = this.#session;
    try {
      while (this.#waiting.size > 0 && session && this.#session === session) {
        const replayed = await readReplayed(session);
        // A promoted server replays no more log; the heartbeat of its session detects the promotion.
        if (this.#session !== session || replayed === null) break;
        this.advanceTo(replayed);
        for (const each of [...this.#waiting]) if (this.#position >= each.position) each.settle(true);
        if (this.#waiting.size > 0) await wait(STEP_MS);
      }
    } catch {
      // The session was lost, which the code that opened it detects.
    } finally {
      this.#isFollowing = false;
      this.cancelWaits();
    }
  }
}
