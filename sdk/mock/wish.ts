import { DomainError } from '../../server/src/domain-error.ts';

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
 * Reads `code=402, example=partial, dynamic=true, seed=one, delay=3000`. An unknown name counts as none, as RFC 7240 says. Throws
 * invalid_request for a value of another form: an answer that was not asked for would pass for the one that was.
 */
export function wishOf(header: string | readonly string[] | undefined): Wish {
  const pairs = [header ?? ''].flat().join(',').split(/[,;]/);
  const given = new Map(pairs.map((pair) => pairOf(pair)));
  requireForm(given);
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

const FORMS: Readonly<Record<string, readonly [form: RegExp, allowed: string]>> = {
  code: [/^[1-5]\d\d$/, 'a status such as 402'],
  delay: [/^\d+$/, 'milliseconds such as 3000'],
  dynamic: [/^(true|false)$/, 'true or false'],
};

function requireForm(given: ReadonlyMap<string, string>): void {
  for (const [name, [form, allowed]] of Object.entries(FORMS)) {
    const value = given.get(name);
    if (value === undefined || form.test(value)) continue;
    throw new DomainError('invalid_request', `The header Prefer must have ${allowed} as its ${name}.`);
  }
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
