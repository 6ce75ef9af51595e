import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ListingOptions, makeListing } from '../../../server/testing/factories.ts';
import { refuse, usableScore } from '../../../server/testing/stand-ins/stand-in-backend.ts';
import { bearer } from '../client.ts';
import type { RunBody } from '../states.ts';
import { callersOf } from './callers.ts';
import type { MakersOf, StateTools } from './state-tools.ts';

type OperationState =
  | 'a listed agent'
  | 'a listed skill'
  | 'an operation that was settled before'
  | 'an operation without a credential'
  | 'an operation with an unknown key'
  | 'an operation with an expired key'
  | 'an operation with a revoked key'
  | 'an operation with a paused key'
  | 'an empty balance'
  | 'a key that has reached its limit'
  | 'an operation without the scope'
  | 'an operation that names another key'
  | 'a subject that nobody knows'
  | 'a name of several subjects'
  | 'an operation under way'
  | 'a key that was used for another subject'
  | 'an operation with a key out of requests'
  | 'an address with too many failed credentials'
  | 'an idempotency key that failed too often'
  | 'a backend without a usable score';

const RUN = '/api/svc/operations/run';
const ATTEMPTS_BEFORE_PAUSE = 20;

/** Creates the states of metered calls. */
export function operationStates({ world, clientOn, unseenClientOn }: StateTools): MakersOf<OperationState> {
  const { database, backend } = world;
  const callers = callersOf(world);
  const owner = async () => (await callers.account()).key.secret;

  /** Builds a valid call about a new listing. */
  async function newRun(listing: ListingOptions = {}, changes: Partial<RunBody> = {}): Promise<RunBody> {
    const { repository } = await makeListing(database, listing);
    const operation = listing.type === 'skill' ? 'skill_score' : 'agent_score';
    return { operation, subject: repository, idempotency_key: randomUUID(), ...changes };
  }
  const by =
    (secret: () => Promise<string | null>, changes: Partial<RunBody> = {}, listing: ListingOptions = {}) =>
    async () => ({
      client: await clientOn('working', bearer(await secret())),
      body: await newRun(listing, changes),
    });
  /** Makes calls one after the other, and returns the client for the call of the test. */
  async function after(secret: string, ...bodies: RunBody[]) {
    const unseen = await unseenClientOn('working', bearer(secret));
    for (const body of bodies) await unseen.POST(RUN, { body });
    return { client: await clientOn('working', bearer(secret)) };
  }

  return {
    'a listed agent': by(owner),
    'a listed skill': by(owner, {}, { type: 'skill' }),
    'an operation that was settled before': async () => {
      const body = await newRun();
      return { ...(await after(await owner(), body)), body };
    },
    'an operation without a credential': by(async () => null),
    'an operation with an unknown key': by(callers.unknown),
    'an operation with an expired key': by(callers.expired),
    'an operation with a revoked key': by(callers.revoked),
    'an operation with a paused key': by(callers.paused),
    'an empty balance': async () => {
      const { accountId, key } = await callers.account();
      await callers.leaveCalls(accountId, 0);
      return by(async () => key.secret)();
    },
    'a key that has reached its limit': by(callers.limited),
    'an operation without the scope': by(() => callers.withScopes('lineage:read')),
    'an operation that names another key': by(owner, { api_key_id: randomUUID() }),
    'a subject that nobody knows': by(owner, { subject: 'nobody/nothing' }),
    'a name of several subjects': async () => {
      const name = `same-${randomUUID()}`;
      const [first] = [await newRun({ name }), await newRun({ name })];
      return { ...(await after(await owner())), body: { ...first, subject: name } };
    },
    'an operation under way': async () => {
      const [secret, body] = [await owner(), await newRun()];
      let end: () => void = () => undefined;
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      backend.behave((request) => ended.then(() => usableScore(request)));
      const asked = backend.calls.length;
      const first = after(secret, body);
      world.afterTest(async () => {
        end();
        await first;
      });
      while (backend.calls.length === asked) await sleep(5);
      return { ...(await after(secret)), body };
    },
    'a key that was used for another subject': async () => {
      const [body, used] = [await newRun(), await newRun()];
      const { idempotency_key } = used;
      return { ...(await after(await owner(), used)), body: { ...body, idempotency_key } };
    },
    'an operation with a key out of requests': async () => {
      const [secret, body] = [await owner(), await newRun()];
      await (await unseenClientOn('limited', bearer(secret))).POST(RUN, { body });
      return { client: await clientOn('limited', bearer(secret)), body };
    },
    'an address with too many failed credentials': async () => {
      const body = await newRun();
      await (await unseenClientOn('limited', bearer(await callers.unknown()))).POST(RUN, { body });
      return { client: await clientOn('limited', bearer(await callers.unknown())), body };
    },
    'an idempotency key that failed too often': async () => {
      const body = await newRun();
      backend.behave(refuse);
      return { ...(await after(await owner(), ...Array(ATTEMPTS_BEFORE_PAUSE).fill(body))), body };
    },
    'a backend without a usable score': async () => {
      backend.behave(refuse);
      return by(owner)();
    },
  };
}
