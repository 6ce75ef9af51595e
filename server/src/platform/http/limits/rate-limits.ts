import type { FastifyReply } from 'fastify';
import type { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { DomainError } from '../../errors/domain-error.ts';

/** Requests per minute of each limit; 0 disables it. */
export interface RateLimitConfig {
  publicPerMinute: number;
  readPerMinute: number;
  writePerMinute: number;
  meteredPerMinute: number;
  unkeyedPerMinute: number;
  failedCredentialsPerMinute: number;
}

export type LimitName =
  | 'public'
  | 'read'
  | 'write'
  | 'metered'
  | 'metered-account'
  | 'unkeyed'
  | 'failed-credential';

export interface RateLimits {
  /** Returns true if the limit is enabled. If it is not, callers need not compute the key. */
  isOn(limit: LimitName): boolean;
  /**
   * Counts one request and sets the X-RateLimit headers. Throws rate_limited if the limit is exceeded. Does nothing if
   * the limit is disabled.
   */
  count(limit: LimitName, key: string, reply: FastifyReply): Promise<void>;
  /**
   * Counts a failed credential of an address. If the limit is exceeded, sets the X-RateLimit headers and throws
   * rate_limited.
   */
  countFailedCredential(address: string, reply: FastifyReply): Promise<void>;
  /**
   * Returns true if this process has seen the address reach the limit of failed credentials in the current minute.
   * Reads only local memory.
   */
  hasFailedTooOften(address: string): boolean;
}

const WINDOW_SECONDS = 60;
/**
 * Maximum remembered addresses that failed too often. If one is forgotten, its guesses cost database lookups again,
 * but gain no access.
 */
const MOST_FAILING = 10_000;

function pointsOf(config: RateLimitConfig): Record<LimitName, number> {
  return {
    public: config.publicPerMinute,
    read: config.readPerMinute,
    write: config.writePerMinute,
    metered: config.meteredPerMinute,
    'metered-account': config.meteredPerMinute,
    unkeyed: config.unkeyedPerMinute,
    'failed-credential': config.failedCredentialsPerMinute,
  };
}

function limiterOf(name: LimitName, points: number, redis: Redis | null): RateLimiterAbstract {
  const options = { keyPrefix: `limit:${name}`, points, duration: WINDOW_SECONDS };
  const local = new RateLimiterMemory(options);
  if (!redis) return local;
  // While Redis is unavailable, each process counts by itself, instead of rejecting or admitting everything.
  return new RateLimiterRedis({
    ...options,
    storeClient: redis,
    insuranceLimiter: local,
    rejectIfRedisNotReady: true,
  });
}

function setHeaders(reply: FastifyReply, points: number, state: RateLimiterRes): number {
  const resetSeconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
  reply.header('X-RateLimit-Limit', points);
  reply.header('X-RateLimit-Remaining', Math.max(0, state.remainingPoints));
  reply.header('X-RateLimit-Reset', resetSeconds);
  return resetSeconds;
}

/**
 * Creates rate limits with fixed windows of one minute, shared between processes if there is a Redis. Without the local
 * count while Redis is away, or the remembered addresses, `rate-limits.test.ts` fails.
 */
export function createRateLimits(config: RateLimitConfig, redis: Redis | null): RateLimits {
  const points = pointsOf(config);
  const limiters = new Map<LimitName, RateLimiterAbstract>();
  const failing = rememberAddresses();
  for (const [name, allowed] of Object.entries(points) as [LimitName, number][]) {
    if (allowed > 0) limiters.set(name, limiterOf(name, allowed, redis));
  }

  /** Counts one request and returns the state; null if the limit is disabled. Throws rate_limited. */
  async function consume(limit: LimitName, key: string, reply: FastifyReply): Promise<RateLimiterRes | null> {
    const limiter = limiters.get(limit);
    if (!limiter) return null;
    try {
      return await limiter.consume(key);
    } catch (state) {
      if (!(state instanceof RateLimiterRes)) throw state;
      const retryAfterSeconds = setHeaders(reply, points[limit], state);
      throw new DomainError(
        'rate_limited',
        `Too many requests: ${points[limit]} a minute are allowed. Retry in ${retryAfterSeconds} s.`,
        {
          retryAfterSeconds,
        },
      );
    }
  }

  return {
    isOn: (limit) => limiters.has(limit),
    async count(limit, key, reply) {
      const state = await consume(limit, key, reply);
      if (state) setHeaders(reply, points[limit], state);
    },
    async countFailedCredential(address, reply) {
      try {
        const state = await consume('failed-credential', address, reply);
        if (state && state.remainingPoints <= 0) failing.note(address, state.msBeforeNext);
      } catch (error) {
        if (error instanceof DomainError) {
          failing.note(address, 1_000 * (error.details.retryAfterSeconds ?? 0));
        }
        throw error;
      }
    },
    hasFailedTooOften: (address) => failing.holds(address),
  };
}

/** Creates a bounded map of addresses with expiry times; the oldest are evicted. */
function rememberAddresses() {
  const until = new Map<string, number>();
  return {
    note(address: string, forMs: number): void {
      // Insert it again, so that it is evicted last.
      until.delete(address);
      until.set(address, performance.now() + forMs);
      const [oldest] = until.keys();
      if (until.size > MOST_FAILING && oldest !== undefined) until.delete(oldest);
    },
    holds(address: string): boolean {
      const end = until.get(address);
      if (end === undefined) return false;
      if (performance.now() < end) return true;
      until.delete(address);
      return false;
    },
  };
}
