import { DomainError } from '../../server/src/platform/errors/domain-error.ts';

/** Maximum delay; longer than the service's own deadline. */
const MAX_DELAY_MS = 60_000;

/** Parsed `Prefer` header of a request. */
export interface Preference {
  /** Milliseconds before the response. */
  readonly delayMs: number;
  /** Selected response; null for the default. */
  readonly answer: ExampleSelector | null;
}

/** Selects a response of the contract, or values generated from its schema. */
export interface ExampleSelector {
  readonly code?: number;
  readonly example?: string;
  readonly dynamic?: boolean;
  readonly seed?: string;
}

/**
 * Parses `code=402, example=partial, dynamic=true, seed=one, delay=3000`. Ignores unknown names, as RFC 7240 requires.
 * Throws invalid_request for an invalid value, so that a test never gets a response that it did not select.
 */
export function parsePrefer(header: string | readonly string[] | undefined): Preference {
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
    delayMs: Math.min(Number(delay ?? 0), MAX_DELAY_MS),
    answer: Object.keys(answer).length > 0 ? answer : null,
  };
}

const FORMS: Readonly<Record<string, readonly [form: RegExp, allowed: string]>> = {
  code: [/^[1-5]\d\d$/, 'a status such as 402'],
  delay: [/^\d+$/, 'milliseconds such as 3000'],
  dynamic: [/^(true|false)$/, 'true or false'],
  example: [/./, 'the name of an example'],
  seed: [/./, 'a text'],
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
