import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { readReplayed } from './server-point.ts';

const PATIENCE_MS = 50;
/** Between two looks at how far it has come, while somebody waits. */
const STEP_MS = 2;

interface Waiting {
  readonly position: number;
  settle(isThere: boolean): void;
}

/** How far a replica has come, and who waits for it to come further. */
export class Replay {
  readonly #patienceMs: number;
  readonly #waiting = new Set<Waiting>();
  #session: pg.Client | null = null;
  #position = 0;
  /** What it was too far behind of: until it is there, nobody waits for it again. */
  #needed = 0;
  #isFollowing = false;

  /** `patienceMs` is how long one read waits for what is missing. */
  constructor(patienceMs = PATIENCE_MS) {
    this.#patienceMs = patienceMs;
  }

  /** How far it had come when it was last asked. */
  get position(): number {
    return this.#position;
  }

  /** Whether it is further behind than anybody waits. */
  get isBehind(): boolean {
    return this.#position < this.#needed;
  }

  /** Follows the server of this session from now on, which may be further back than the last one. */
  begin(session: pg.Client): void {
    this.#session = session;
    [this.#position, this.#needed] = [0, 0];
  }

  /** There is no session any more. */
  end(): void {
    this.#session = null;
  }

  note(position: number): void {
    this.#position = Math.max(this.#position, position);
  }

  /** Nobody waits any longer. */
  giveUp(): void {
    for (const each of [...this.#waiting]) each.settle(false);
  }

  /** Resolves with whether it came that far while one read waits. */
  until(position: number): Promise<boolean> {
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

  /** Looks again and again while anybody waits. */
  async #follow(): Promise<void> {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    const session = this.#session;
    try {
      while (this.#waiting.size > 0 && session && this.#session === session) {
        const replayed = await readReplayed(session);
        // One that was promoted comes no further, which its session's next answer tells.
        if (this.#session !== session || replayed === null) break;
        this.note(replayed);
        for (const each of [...this.#waiting]) if (this.#position >= each.position) each.settle(true);
        if (this.#waiting.size > 0) await wait(STEP_MS);
      }
    } catch {
      // The session is lost, which is told by itself.
    } finally {
      this.#isFollowing = false;
      this.giveUp();
    }
  }
}
