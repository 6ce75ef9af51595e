import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeListing } from '../../../server/testing/factories.ts';
import { refuse, usableScore } from '../../../server/testing/stand-ins/stand-in-backend.ts';
import { bearer, signedIn } from '../client.ts';
import type { RunBody } from '../states.ts';
import { callersOf } from './callers.ts';
import type { MakersOf, StateTools } from './state-tools.ts';

type ReceiptState =
  | 'a receipt of a settled call'
  | 'a receipt of a failed call'
  | 'a receipt of a call under way'
  | 'a receipt of another account'
  | 'receipts on several pages'
  | 'an account without receipts'
  | 'a cursor of another list of receipts'
  | 'a key with a limit and a call'
  | 'a reader without the scope'
  | 'a reader without a credential'
  | 'a reader with an unknown key'
  | 'a reader with a revoked key'
  | 'a reader in a session that has ended'
  | 'a reader with a key out of requests';

const RUN = '/api/svc/operations/run';

/** Creates the states of callers who read their receipts. */
export function receiptStates({ world, clientOn, unseenClientOn }: StateTools): MakersOf<ReceiptState> {
  const { database, backend } = world;
  const callers = callersOf(world);
  const owner = async () => (await callers.account()).key.secret;

  /** Makes a call about a new listing and returns the id of its receipt. */
  async function run(secret: string): Promise<string> {
    const { repository } = await makeListing(database);
    const body: RunBody = { operation: 'agent_score', subject: repository, idempotency_key: randomUUID() };
    const { data, error } = await (await unseenClientOn('working', bearer(secret))).POST(RUN, { body });
    return String(
      (data as { ledger_id?: string })?.ledger_id ?? (error as { ledger_id?: string })?.ledger_id,
    );
  }
  const reader = async (secret: string | null) => ({ client: await clientOn('working', bearer(secret)) });

  return {
    'a receipt of a settled call': async () => {
      const secret = await owner();
      return { ...(await reader(secret)), ledgerId: await run(secret) };
    },
    'a receipt of a failed call': async () => {
      const secret = await owner();
      backend.behave(refuse);
      return { ...(await reader(secret)), ledgerId: await run(secret) };
    },
    'a receipt of a call under way': async () => {
      const secret = await owner();
      let end: () => void = () => undefined;
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      backend.behave((request) => ended.then(() => usableScore(request)));
      const asked = backend.calls.length;
      const call = run(secret);
      world.afterTest(async () => {
        end();
        await call;
      });
      while (backend.calls.length === asked) await sleep(5);
      return { ...(await reader(secret)), ledgerId: backend.calls.at(-1) ?? '' };
    },
    'a receipt of another account': async () => ({
      ...(await reader(await owner())),
      ledgerId: await run(await owner()),
    }),
    'receipts on several pages': async () => {
      const secret = await owner();
      for (let call = 0; call < 3; call++) await run(secret);
      const unseen = await unseenClientOn('working', bearer(secret));
      const { data } = await unseen.GET('/api/receipts', { params: { query: { limit: 2 } } });
      return { ...(await reader(secret)), cursor: data?.nextCursor ?? '' };
    },
    'an account without receipts': async () => reader(await owner()),
    'a cursor of another list of receipts': async () => reader(await owner()),
    'a key with a limit and a call': async () => {
      const { key } = await callers.account();
      await database.query('UPDATE access_key SET monthly_calls = 10 WHERE id = $1', [key.id]);
      await run(key.secret);
      return { ...(await reader(key.secret)), id: key.id };
    },
    'a reader without the scope': async () => reader(await callers.withScopes('scores:read')),
    'a reader without a credential': () => reader(null),
    'a reader with an unknown key': async () => reader(await callers.unknown()),
    'a reader with a revoked key': async () => reader(await callers.revoked()),
    'a reader in a session that has ended': async () => {
      const { token } = await callers.signedIn('ended_at = ledger_now()');
      return { client: await clientOn('working', signedIn(token)) };
    },
    'a reader with a key out of requests': async () => {
      const secret = await owner();
      await (await unseenClientOn('limited', bearer(secret))).GET('/api/receipts');
      return { client: await clientOn('limited', bearer(secret)) };
    },
  };
}
