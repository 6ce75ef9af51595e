/** Which hosts are to be left alone, and for how long; one process's own memory, on a clock that is never set back. */
export class HostRests {
  readonly #until = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Leaves a host alone for so long. */
  rest(host: string, seconds: number): void {
    this.#until.set(host, this.#now() + seconds * 1_000);
  }

  /** The hosts that may be asked now. */
  awake(hosts: readonly string[]): string[] {
    return hosts.filter((host) => this.#left(host) <= 0);
  }

  /** Seconds until one of the hosts may be asked again; 0 where one may be now. */
  secondsUntilAwake(hosts: readonly string[]): number {
    return Math.max(0, Math.ceil(Math.min(...hosts.map((host) => this.#left(host))) / 1_000));
  }

  #left(host: string): number {
    return (this.#until.get(host) ?? 0) - this.#now();
  }
}
