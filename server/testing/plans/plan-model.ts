import type { PlanBook } from '../../src/access/plans/plans.ts';

/** Plans with small numbers, so that every bucket is exhausted; `odd` has more in one limit and less in another. */
export const SMALL_PLANS: PlanBook = {
  prices: {
    agent_score: 10,
    skill_score: 8,
    creator_score: 8,
    social_account_score: 5,
    messenger_account_score: 5,
    agent_skill_lineage: 20,
  },
  plans: {
    free: { activeKeys: 1, freeCalls: 2, includedCredits: 0, overageCapCredits: null },
    builder: { activeKeys: 5, freeCalls: 2, includedCredits: 30, overageCapCredits: 20 },
    pro: { activeKeys: 20, freeCalls: 2, includedCredits: 60, overageCapCredits: 50 },
    odd: { activeKeys: 9, freeCalls: 4, includedCredits: 10, overageCapCredits: null },
  },
};

const RANK: Readonly<Record<string, readonly string[]>> = {
  // Plans from which a change to this plan takes effect at once.
  free: ['free'],
  builder: ['free', 'builder'],
  pro: ['free', 'builder', 'pro'],
  odd: ['free', 'odd'],
};

type Source = 'free' | 'included' | 'overage';
interface Bucket {
  total: number;
  used: number;
  adjusted: number;
}

/** Simple model of an account's month, for comparison. */
export class PlanModel {
  plan = 'free';
  coming: string | null = null;
  cap: number | 'whole' | null = null;
  gifted = { total: 0, used: 0 };
  month: Partial<Record<Source, Bucket>> = {};

  private wanted(source: Source): number {
    const plan = SMALL_PLANS.plans[this.plan];
    if (source === 'free') return plan?.freeCalls ?? 0;
    if (source === 'included') return plan?.includedCredits ?? 0;
    const most = plan?.overageCapCredits ?? 0;
    return this.cap === null ? 0 : Math.min(this.cap === 'whole' ? most : this.cap, most);
  }

  open(): void {
    for (const source of ['free', 'included', 'overage'] as const) {
      if (this.wanted(source) > 0)
        this.month[source] ??= { total: this.wanted(source), used: 0, adjusted: 0 };
    }
  }

  private follow(sources: Source[]): void {
    for (const source of sources) {
      const bucket = this.month[source];
      if (!bucket) continue;
      const wanted = this.wanted(source);
      bucket.total =
        source === 'overage'
          ? Math.max(wanted, bucket.used)
          : Math.max(bucket.total, wanted + bucket.adjusted);
    }
  }

  setPlan(plan: string): void {
    if ((SMALL_PLANS.plans[this.plan]?.overageCapCredits ?? 0) === 0) this.cap = null;
    if (!RANK[plan]?.includes(this.plan)) {
      this.coming = plan;
      return;
    }
    this.plan = plan;
    this.coming = null;
    this.follow(['free', 'included', 'overage']);
    this.open();
  }

  /** Returns false if refused. */
  setCap(cap: number | 'whole' | null): boolean {
    const most = SMALL_PLANS.plans[this.plan]?.overageCapCredits ?? 0;
    if (cap !== null && (most === 0 || (cap !== 'whole' && cap > most))) return false;
    this.cap = cap;
    this.follow(['overage']);
    if (this.wanted('overage') > 0) {
      this.month.overage ??= { total: this.wanted('overage'), used: 0, adjusted: 0 };
    }
    return true;
  }

  /** Returns false if refused. */
  adjust(source: 'free' | 'included', credits: number): boolean {
    const bucket = this.month[source];
    if (!bucket || bucket.total + credits < bucket.used) return false;
    bucket.total += credits;
    bucket.adjusted += credits;
    return true;
  }

  /** Returns the source that pays for a call of 10 credits. */
  call(settles: boolean): string {
    this.open();
    const { free, included, overage } = this.month;
    const order = [
      ['free', free, 1],
      ['gifted', this.gifted, 10],
      ['included', included, 10],
      ['overage', overage, 10],
    ] as const;
    for (const [source, bucket, amount] of order) {
      if (!bucket || bucket.total - bucket.used < amount) continue;
      if (!settles) return 'scoring_failed';
      bucket.used += amount;
      return source;
    }
    return 'insufficient_credits';
  }

  nextMonth(): void {
    this.plan = this.coming ?? this.plan;
    this.coming = null;
    this.month = {};
  }

  /** Returns `free 2/1` etc.: total and used, in payment order. */
  balance(): string[] {
    this.open();
    const { free, included, overage } = this.month;
    return Object.entries({ free, gifted: this.gifted, included, overage })
      .filter(([source, bucket]) => bucket && (source !== 'gifted' || bucket.total > 0))
      .map(([source, bucket]) => `${source} ${bucket?.total}/${bucket?.used}`);
  }
}
