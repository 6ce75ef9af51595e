import { randomUUID } from 'node:crypto';
import { makeListing, type TestAccount } from '../../server/testing/factories.ts';
import { refuse, usableScore } from '../../server/testing/stand-ins/stand-in-backend.ts';
import { bearer } from '../targets/client.ts';
import { callersOf } from '../targets/server/callers.ts';
import { json, type RawRequest } from '../targets/server/raw-request.ts';
import { openServerWorld } from '../targets/server/server-world.ts';
import { type About, type Caller, type OrderWorld, sendAs } from './order-world.ts';

const RUN = { method: 'POST', path: '/api/svc/operations/run' };

/** Opens the real server: every state is created in its database. */
export async function openServerOrderWorld(): Promise<OrderWorld> {
  const world = await openServerWorld();
  const { database, backend } = world;
  const callers = callersOf(world);
  const [working, limited] = [await world.urlOf('working'), await world.urlOf('limited')];
  const name = `same-${randomUUID()}`;
  for (let made = 0; made < 2; made++) await makeListing(database, { name });

  const by = (secret: string | null, url = working): Caller => ({ url, headers: bearer(secret) });
  /** Subject ids of the created listings, by repository. */
  const subjectIds = new Map<string, string>();
  const accounts = new Map<Caller, TestAccount>();
  const another = async (): Promise<About> => {
    const { repository, subjectId } = await makeListing(database);
    subjectIds.set(repository, subjectId);
    return { operation: 'agent_score', subject: repository };
  };
  const account = async () => {
    const made = await callers.account();
    const caller = by(made.key.secret);
    accounts.set(caller, made);
    return caller;
  };
  const keyOf = (caller: Caller) => accounts.get(caller)?.key.id;
  /** Returns the caller with only this many free calls left, and no credits. */
  const leave = async (caller: Caller, calls: number) => {
    await callers.leaveCalls(accounts.get(caller)?.accountId ?? '', calls);
    return caller;
  };
  const good = await another();
  const call = () => ({ ...RUN, ...json({ ...good, idempotency_key: randomUUID() }) });
  const exhausted = async ({ headers }: Caller, request: RawRequest) => {
    const caller = { url: limited, headers };
    await sendAs(caller, request);
    return caller;
  };

  return {
    good,
    another,
    unknown: { operation: 'agent_score', subject: 'nobody/nothing' },
    ambiguous: { operation: 'agent_score', subject: name },
    listed: `https://github.com/${good.subject}`,
    nobody: by(null),
    account,
    withScope: async (scope) => by(await callers.withScopes(scope)),
    revoked: async () => by(await callers.revoked()),
    but: {
      outOfRequests: exhausted,
      async outOfRequestsByItsTwin() {
        const [one, two] = await callers.twins();
        await exhausted(by(one), call());
        return by(two, limited);
      },
      async limited(caller) {
        await database.query('UPDATE access_key SET monthly_calls = 0 WHERE id = $1', [keyOf(caller)]);
        return caller;
      },
      empty: (caller) => leave(caller, 0),
      async unscoped(caller) {
        const change = "UPDATE access_key SET scopes = '{lineage:read}' WHERE id = $1";
        await database.query(change, [keyOf(caller)]);
        return caller;
      },
      async without({ subject }, caller) {
        await database.query('DELETE FROM subject_alias WHERE subject_id = $1', [subjectIds.get(subject)]);
        return caller;
      },
      async whileScoringFails(caller) {
        backend.behave(refuse);
        return caller;
      },
    },
    async begin(body) {
      const caller = await leave(await account(), 1);
      let end: () => void = () => undefined;
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      const asked = new Promise<void>((resolve) => {
        backend.behave((request) => {
          resolve();
          return ended.then(() => usableScore(request));
        });
      });
      const first = sendAs(caller, { ...RUN, ...json(body) });
      await asked;
      return {
        caller,
        end: () => {
          end();
          return first;
        },
      };
    },
    scored: () => backend.calls.length,
    restore: world.restore,
    stop: world.stop,
  };
}
