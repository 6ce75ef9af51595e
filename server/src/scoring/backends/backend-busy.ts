/** The scoring backend answered 429: the one failure that is tried again, after the wait that it asked for. */
export class BackendBusy extends Error {
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number) {
    super('the scoring backend is busy');
    this.name = 'BackendBusy';
    this.retryAfterMs = retryAfterMs;
  }
}
