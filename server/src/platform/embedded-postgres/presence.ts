import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, processStamp } from './process-identity.ts';

/**
 * Tracks the processes that use the embedded server, as files named `<pid>.<uuid>.<state>` in one folder, so that the
 * last one to leave stops it, and only then. Files of dead processes are ignored.
 *
 * Joining writes `using` and then checks for `leaving`; leaving writes `leaving` and then checks for `using`. If two
 * processes do both at once, at least one sees the other, so a server that is about to stop is never joined. Without
 * these files, `presence.test.ts` and `embedded-sharing.nightly.test.ts` fail.
 */
export class Presence {
  readonly #folder: string;
  readonly #name = `${process.pid}.${randomUUID()}`;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** Announces that this process uses the server. */
  announce(): void {
    this.#write('using');
  }

  /** Returns true while another process may be stopping the server. */
  isAnotherLeaving(): boolean {
    return this.#others('leaving');
  }

  /** Ends the use by this process. Returns true if this process must stop the server. Call `left` afterwards. */
  leave(): boolean {
    this.#write('leaving');
    this.#remove('using');
    if (!this.#others('using')) return true;
    this.left();
    return false;
  }

  /** Removes this process's files. Call it after the server was stopped, or if other processes still use it. */
  left(): void {
    this.#remove('leaving');
    this.#remove('using');
  }

  #write(state: string): void {
    writeFileSync(join(this.#folder, `${this.#name}.${state}`), processStamp(process.pid));
  }

  #remove(state: string): void {
    rmSync(join(this.#folder, `${this.#name}.${state}`), { force: true });
  }

  #others(state: string): boolean {
    const files = readdirSync(this.#folder).filter((file) => file.endsWith(`.${state}`));
    return files.some((file) => !file.startsWith(this.#name) && this.#isLiving(file));
  }

  #isLiving(file: string): boolean {
    const pid = Number(file.split('.')[0]);
    try {
      const stamp = readFileSync(join(this.#folder, file), 'utf8');
      // The process that created an empty file is about to fill it.
      if (isAlive(pid) && (stamp === '' || stamp === processStamp(pid))) return true;
    } catch {
      return false;
    }
    rmSync(join(this.#folder, file), { force: true });
    return false;
  }
}
