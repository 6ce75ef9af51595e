/** A balance of one source in the model, valid from `from` until `to`. */
export interface ModelBucket {
  readonly source: 'free' | 'gifted' | 'purchased';
  /** Milliseconds on the ledger's clock. */
  readonly from: number;
  readonly to: number;
  readonly total: number;
  used: number;
  held: number;
}

export interface ModelRun {
  readonly body: string;
  readonly attempt: number;
  readonly bucket: ModelBucket;
  readonly amount: number;
  readonly leaseUntil: number;
  state: 'reserved' | 'settled' | 'failed';
}

const LEASE_MS = 60_000;
const ORDER = ['free', 'gifted', 'included', 'purchased', 'overage'];

/**
 * In-memory model of one account's ledger according to the specification: outcome of each call and remaining balance.
 */
export class LedgerModel {
  now: number;
  key: 'active' | 'revoked' | 'expired' = 'active';
  readonly freeCalls: number;
  readonly buckets: ModelBucket[] = [];
  /** All attempts by idempotency key, latest last. */
  readonly runs = new Map<string, ModelRun[]>();

  constructor(now: number, freeCalls: number) {
    this.now = now;
    this.freeCalls = freeCalls;
  }

  /** Handles the part of a call before the backend is asked: returns its final outcome, or the run that it opened. */
  open(key: string, body: string, priceCredits: number): string | ModelRun {
    if (this.key !== 'active') return `key_${this.key}`;
    this.openMonth();
    const earlier = this.runs.get(key)?.at(-1);
    if (earlier && earlier.body !== body) return 'idempotency_key_reused';
    if (earlier?.state === 'settled') return 'replay';
    if (earlier?.state === 'reserved' && this.now < earlier.leaseUntil) return 'idempotency_in_progress';
    // Like the ledger, look for a bucket that can pay before the expired hold of this idempotency key is released.
    const payable = this.payer(priceCredits) !== undefined;
    if (earlier?.state === 'reserved') this.reap(earlier.bucket);
    if (!payable) this.reap();
    const bucket = this.payer(priceCredits);
    if (!bucket) return 'insufficient_credits';
    const amount = bucket.source === 'free' ? 1 : priceCredits;
    const attempts = this.runs.get(key) ?? [];
    const run: ModelRun = {
      body,
      attempt: attempts.length + 1,
      bucket,
      amount,
      leaseUntil: this.now + LEASE_MS,
      state: 'reserved',
    };
    bucket.held += amount;
    this.runs.set(key, [...attempts, run]);
    return run;
  }

  /** Ends a run after the backend's answer, successful or not. */
  end(run: ModelRun, answered: boolean): string {
    // A settle that finds its own lease expired releases all expired holds of the bucket.
    if (answered && this.now >= run.leaseUntil) this.reap(run.bucket);
    if (run.state !== 'reserved') return 'scoring_failed';
    run.state = answered ? 'settled' : 'failed';
    run.bucket.held -= run.amount;
    if (answered) run.bucket.used += run.amount;
    return answered ? 'settled' : 'scoring_failed';
  }

  /** Releases the holds of runs with expired leases, of one bucket or of all. */
  reap(bucket?: ModelBucket): void {
    for (const run of [...this.runs.values()].flat()) {
      if (run.state !== 'reserved' || this.now < run.leaseUntil || (bucket && run.bucket !== bucket))
        continue;
      run.state = 'failed';
      run.bucket.held -= run.amount;
    }
  }

  private openMonth(): void {
    const day = new Date(this.now);
    const from = Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1);
    if (this.freeCalls === 0 || this.buckets.some((each) => each.source === 'free' && each.from === from))
      return;
    const to = Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 1);
    this.buckets.push({ source: 'free', from, to, total: this.freeCalls, used: 0, held: 0 });
  }

  private payer(priceCredits: number): ModelBucket | undefined {
    const fits = ({ source, from, to, total, used, held }: ModelBucket) =>
      from <= this.now && this.now < to && total - used - held >= (source === 'free' ? 1 : priceCredits);
    const rank = (bucket: ModelBucket) => ORDER.indexOf(bucket.source);
    return this.buckets.filter(fits).sort((a, b) => rank(a) - rank(b) || a.to - b.to)[0];
  }
}
