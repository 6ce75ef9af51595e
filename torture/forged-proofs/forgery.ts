import type { Claim, ForgedWorld, Person, Reply } from './forged-world.ts';

/** World, people and handles of one forgery. */
export interface Attempt {
  readonly world: ForgedWorld;
  /** Unique number of the forgery, so that its handles and domains are unique too. */
  readonly number: number;
  /** Handle of the host account that the attacker does not own. */
  readonly victim: string;
  /** Handle of the attacker's own host account. */
  readonly attacker: string;
  readonly person: Person;
}

/** Gain of the attacker in words; null if the server gave nothing. */
export type Gain = string | null;

/** One way to pretend to own a host account. */
export interface Forgery {
  /** Forged evidence, as the table names it. */
  readonly forged: string;
  readonly where: string;
  run(attempt: Attempt): Promise<Gain>;
}

/**
 * Creates a forgery of the usual form: the attacker links a host account, publishes the code somewhere and requests
 * verification. `claimed` returns the handle of the linked account; by default, the victim's.
 */
export function published(
  forged: string,
  { kind, host }: Pick<Claim, 'kind' | 'host'>,
  publish: (attempt: Attempt, code: string) => unknown,
  claimed: (attempt: Attempt) => string = ({ victim }) => victim,
): Forgery {
  return {
    forged,
    where: host,
    async run(attempt) {
      const { person } = attempt;
      const link = await person.link({ kind, host, handle: claimed(attempt) });
      if (link.status !== 201) return null;
      await publish(attempt, link.body.code);
      return gainOf(await person.verify(link.body.id));
    },
  };
}

/** Returns what the attacker gained, read from the response to a verification; null if the server refused. */
export function gainOf({ status, body }: Reply): Gain {
  if (status === 200) return `${body.handle} on ${body.host} is ${body.state}`;
  // Any other failure means that the forgery was not tried.
  if (![400, 404, 409, 503].includes(status)) throw new Error(`status ${status}: ${JSON.stringify(body)}`);
  return null;
}
