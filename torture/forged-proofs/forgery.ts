import type { Claim, ForgedWorld, Person, Reply } from './forged-world.ts';

/** World, people and handles of one forgery. */
export interface Attempt {
  readonly world: ForgedWorld;
  /** Stands for no other forgery's number, so that handles and domains are its own. */
  readonly number: number;
  /** The handle of the account elsewhere that is not the attacker's. */
  readonly victim: string;
  /** A handle elsewhere that is the attacker's. */
  readonly attacker: string;
  readonly person: Person;
}

/** Gain of the attacker in words; null if the server gave nothing. */
export type Gain = string | null;

/** One way to pass for the owner of an account elsewhere. */
export interface Forgery {
  /** Forged evidence, as the table names it. */
  readonly forged: string;
  readonly where: string;
  run(attempt: Attempt): Promise<Gain>;
}

/**
 * Makes a forgery of the usual form: the attacker links the account, puts the code somewhere and asks for verification.
 * `claim` is the linked account; by default the victim's.
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

/** Reads from the answer to a verification whether the account counts as proved. */
export function gainOf({ status, body }: Reply): Gain {
  if (status === 200) return `${body.handle} on ${body.host} is ${body.state}`;
  // Nothing else than a refusal may stand in its way, else the forgery was not tried.
  if (![400, 404, 409, 503].includes(status)) throw new Error(`status ${status}: ${JSON.stringify(body)}`);
  return null;
}
