import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, processStamp } from './process-identity.ts';

/**
 * Who uses the embedded server, as files named `<pid>.<uuid>.<state>` in one folder, so that the last one out stops it
 * and nobody stops it under another. A file of a dead process counts for nothing.
 *
 * Joining writes `using` and then looks for `leaving`; leaving writes `leaving` and then looks for `using`. So of two
 * processes doing both at once at least one sees the other, and a server that is about to stop is never joined.
 */
export class Presence {
  readonly #folder: string;
  readonly #name = `${process.pid}.${randomUUID()}`;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** Says that this process uses the server. */
  announce(): void {
    this.#write('using');
  }

  /** True while another process may be stopping the server. */
  someoneLeaves(): boolean {
    return this.#others('leaving');
  }

  /** Ends this process's use and tells whether the server is now ours to stop; `left` must follow the stop. */
  leave(): boolean {
    this.#write('leaving');
    this.#remove('using');
    if (!this.#others('using')) return true;
    this.left();
    return false;
  }

  /** The server has been stopped, or others go on with it. */
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
      // An empty file is one that its process is about to fill.
      if (isAlive(pid) && (stamp === '' || stamp === processStamp(pid))) return true;
    } catch {
      return false;
    }
    rmSync(join(this.#folder, file), { force: true });
    return false;
  }
}
