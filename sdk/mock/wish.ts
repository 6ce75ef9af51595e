/** A longer wait than the service's own deadline is of no use. */
const LONGEST_MS = 60_000;

/** What a caller's `Prefer` header asks the mock for. */
export interface Wish {
  /** Milliseconds to wait before the answer. */
  readonly delayMs: number;
  /** Which answer; null where the caller leaves that to the mock. */
  readonly answer: WishedAnswer | null;
}

/** One answer of the contract, or generated values of its schema. */
export interface WishedAnswer {
  readonly code?: number;
  readonly example?: string;
  readonly dynamic?: boolean;
  readonly seed?: string;
}

/**
 * Reads `code=402, example=partial, dynamic=true, seed=one, delay=3000`. A value of another form counts as none, and an
 * unknown name does too, as RFC 7240 says.
 */
export function wishOf(header: string | readonly string[] | undefined): Wish {
  const pairs = [header ?? ''].flat().join(',').split(/[,;]/);
  const given = new Map(pairs.map((pair) => pairOf(pair)));
  const code = /^[1-5]\d\d$/.exec(given.get('code') ?? '')?.[0];
  const delay = /^\d+$/.exec(given.get('delay') ?? '')?.[0];
  const [example, seed, dynamic] = [given.get('example'), given.get('seed'), given.get('dynamic')];
  const answer = {
    ...(code && { code: Number(code) }),
    ...(example && { example }),
    ...(dynamic === 'true' && { dynamic: true }),
    ...(seed && { seed }),
  };
  return {
    delayMs: Math.min(Number(delay ?? 0), LONGEST_MS),
    answer: Object.keys(answer).length > 0 ? answer : null,
  };
}

function pairOf(pair: string): [name: string, value: string] {
  const [name = '', ...value] = pair.split('=');
  return [
    name.trim().toLowerCase(),
    value
      .join('=')
      .trim()
      .replace(/^"(.*)"$/, '$1'),
  ];
}
