import { refuse } from '../../../server/testing/stand-ins/stand-in-backend.ts';
import { makeCreator, makeListing } from '../../../server/testing/subjects/registry.factory.ts';
import { signedIn } from '../client.ts';
import type { ConsoleStates } from '../console-states.ts';
import { callersOf } from './callers.ts';
import { giveScore, type ServerKind } from './server-world.ts';
import type { MakersOf, StateTools } from './state-tools.ts';

const LINKS = '/api/console/linked-accounts';

/** Creates the states of the console. */
export function consoleStates({
  world,
  clientOn,
  unseenClientOn,
}: StateTools): MakersOf<keyof ConsoleStates> {
  const { database, hosts, backend } = world;
  const callers = callersOf(world);
  let made = 0;

  async function session(kind: ServerKind = 'working', change?: string) {
    const { token, accountId } = await callers.signedIn(change);
    return { accountId, token, client: await clientOn(kind, signedIn(token)) };
  }
  const called = async (kind?: ServerKind, change?: string) => ({
    client: (await session(kind, change)).client,
  });

  /** Links a new account. If `isPublished`, its host shows the code. */
  async function link(token: string, isPublished: boolean): Promise<string> {
    made += 1;
    const handle = `example-labs-${made}`;
    const account = hosts.world.account({ handle });
    const unseen = await unseenClientOn('working', signedIn(token));
    const { data } = await unseen.POST(LINKS, { body: { kind: 'repo_host', host: 'github.com', handle } });
    if (isPublished) account.profile = `${data?.code}`;
    return data?.id ?? '';
  }
  const linked = (isPublished: boolean, then?: (id: string) => unknown) => async () => {
    const { client, token } = await session();
    const id = await link(token, isPublished);
    await then?.(id);
    return { client, id };
  };
  const claimed = (input: { verified: boolean; acknowledged: boolean; isOwn?: boolean }) => async () => {
    const { client, accountId } = await session();
    const { verified, acknowledged, isOwn = true } = input;
    const creator = await makeCreator(database, { verified, ...(isOwn ? { accountId } : {}) });
    const parent = await makeListing(database, { creator, verified });
    await giveScore(world, parent.id);
    const { agentId } = await makeListing(database, { parentId: parent.id, acknowledged });
    return { client, childId: agentId };
  };

  /** Creates an account's own listings, each with an old score; returns the newest one's id. */
  const owned =
    (input: { listings?: number; justAsked?: boolean; kind?: ServerKind } = {}) =>
    async () => {
      const { listings = 1, justAsked = false, kind } = input;
      const { client, accountId } = await session(kind);
      const creator = await makeCreator(database, { accountId });
      let listing = await makeListing(database, { creator, license: 'MIT' });
      for (let more = 1; more < listings; more += 1) listing = await makeListing(database, { creator });
      await giveScore(world, listing.id);
      if (justAsked)
        await database.query('INSERT INTO score_refresh VALUES ($1, ledger_now())', [listing.id]);
      return { client, id: listing.agentId };
    };

  return {
    'a console session': () => called(),
    'a console request without a session': async () => ({ client: await clientOn('working') }),
    'a console session that has ended': () => called('working', 'ended_at = ledger_now()'),
    'a console session from another site': async () => {
      const { token } = await callers.signedIn();
      return { client: await clientOn('working', { ...signedIn(token), Origin: 'https://other.example' }) };
    },
    'a console session out of requests': async () => {
      const { token } = await callers.signedIn();
      const unseen = await unseenClientOn('limited', signedIn(token));
      await unseen.GET(LINKS);
      await unseen.POST(LINKS, { body: { kind: 'repo_host', host: 'github.com', handle: 'example-labs' } });
      return { client: await clientOn('limited', signedIn(token)) };
    },
    'a console request with an unknown parameter': () => called(),
    'a console session and an unforeseen fault': () => called('failing'),
    'a console session while the database is away': () => called('cut off'),

    'linked accounts, proved and pending': async () => {
      const { client, token } = await session();
      const id = await link(token, true);
      const unseen = await unseenClientOn('working', signedIn(token));
      await unseen.POST(`${LINKS}/{id}/verify`, { params: { path: { id } } });
      await link(token, false);
      return { client };
    },
    'a linked account whose code is published': linked(true),
    'a linked account whose code is not published': linked(false),
    'a linked account whose code has expired': linked(true, (id) =>
      database.query('UPDATE linked_account SET code_expires_at = ledger_now() WHERE id = $1', [id]),
    ),
    'a linked account on a host that is away': linked(true, () => hosts.trouble({ kind: 'hang_up' })),
    'a linked account of somebody else': async () => ({
      ...(await called()),
      id: await link((await session()).token, true),
    }),
    'a host that cannot be read': () => called(),

    'an agent of one’s own': owned(),
    'agents of one’s own on several pages': owned({ listings: 2 }),
    'nothing listed of one’s own': () => called(),
    'an agent of somebody else': async () => ({ ...(await called()), id: (await owned()()).id }),
    'an agent that was just to be scored': owned({ justAsked: true }),
    'an agent that cannot be scored': () => {
      backend.behave(refuse);
      return owned({ kind: 'scored elsewhere' })();
    },
    'a cursor of another list of one’s own agents': () => called(),

    'a child that waits': claimed({ verified: true, acknowledged: false }),
    'an acknowledged child': claimed({ verified: true, acknowledged: true }),
    'a child of an unverified creator': claimed({ verified: false, acknowledged: false }),
    'a child of somebody else': claimed({ verified: true, acknowledged: false, isOwn: false }),
    'nothing built on what one has listed': () => called(),
    'a cursor of another list of children': () => called(),
  };
}
