import { randomUUID } from 'node:crypto';
import { makeListing } from '../../../server/testing/subjects/registry.factory.ts';
import { bearer, signedIn } from '../client.ts';
import type { RegistrationBody } from '../states.ts';
import { callersOf } from './callers.ts';
import type { MakersOf, StateTools } from './state-tools.ts';

type RegistrationState =
  | 'an account that may register'
  | 'a repository on a host that is not allowed'
  | 'a parent that nobody listed'
  | 'a registration without a credential'
  | 'a registration with an unknown key'
  | 'a registration with an expired key'
  | 'a registration with a revoked key'
  | 'a registration with a paused key'
  | 'a registration without the scope'
  | 'a repository that is registered'
  | 'a listed repository of the proved owner'
  | 'a registration that has worked under its key'
  | 'a key of another registration'
  | 'a registration in a console session'
  | 'a registration in a session from another site'
  | 'a registration with a key out of requests';

/** Builds a registration of a repository that is not listed. */
export function newRegistration(changes: Partial<RegistrationBody> = {}): RegistrationBody {
  return {
    repoHostUrl: `https://github.com/example-labs/agent-${randomUUID()}`,
    name: 'Changelog Agent',
    description: 'Reads merged pull requests and drafts release notes.',
    category: 'coding',
    tags: ['release-notes'],
    ...changes,
  };
}

/** Creates the states of registrations. */
export function registrationStates({
  world,
  clientOn,
  unseenClientOn,
}: StateTools): MakersOf<RegistrationState> {
  const callers = callersOf(world);
  const by =
    (secret: () => Promise<string | null>, changes: Partial<RegistrationBody> = {}) =>
    async () => ({
      client: await clientOn('working', bearer(await secret())),
      body: newRegistration(changes),
    });
  const owner = async () => (await callers.account()).key.secret;

  return {
    'an account that may register': by(owner),
    'a repository on a host that is not allowed': by(owner, { repoHostUrl: 'https://git.example/a/b' }),
    'a parent that nobody listed': by(owner, { parentId: 'AGT-ZZZZZZZZ' }),
    'a registration without a credential': by(async () => null),
    'a registration with an unknown key': by(callers.unknown),
    'a registration with an expired key': by(callers.expired),
    'a registration with a revoked key': by(callers.revoked),
    'a registration with a paused key': by(callers.paused),
    'a registration without the scope': by(() => callers.withScopes('scores:read', 'lineage:read')),
    'a repository that is registered': async () => {
      const secret = await owner();
      const body = newRegistration();
      await (await unseenClientOn('working', bearer(secret))).POST('/api/agents/register', { body });
      return { client: await clientOn('working', bearer(secret)), body };
    },
    'a listed repository of the proved owner': async () => {
      const { accountId, key } = await callers.account();
      const { repository } = await makeListing(world.database, { type: 'skill' });
      const owned = world.hosts.world.account({ handle: repository.split('/')[0] ?? '' });
      await world.database.query(
        `INSERT INTO linked_account (id, account_id, kind, host, handle, code, code_expires_at, proved_at, proved_by,
           host_account_id, checked_at, check_due_at)
         VALUES (gen_random_uuid(), $1, 'repo_host', 'github.com', $2, 'code', ledger_now(), ledger_now(), 'code', $3,
           ledger_now(), ledger_now() + interval '30 days')`,
        [accountId, owned.handle, owned.id],
      );
      const body = newRegistration({ repoHostUrl: `https://github.com/${repository}` });
      return { client: await clientOn('working', bearer(key.secret)), body };
    },
    'a registration that has worked under its key': async () => {
      const secret = await owner();
      const body = newRegistration({ idempotency_key: randomUUID() });
      const earlier = await unseenClientOn('working', bearer(secret));
      const { data } = await earlier.POST('/api/agents/register', { body });
      return { client: await clientOn('working', bearer(secret)), body, id: data?.id ?? '' };
    },
    'a key of another registration': async () => {
      const secret = await owner();
      const idempotency_key = randomUUID();
      const body = newRegistration({ idempotency_key });
      await (await unseenClientOn('working', bearer(secret))).POST('/api/agents/register', { body });
      return {
        client: await clientOn('working', bearer(secret)),
        body: newRegistration({ idempotency_key }),
      };
    },
    'a registration in a console session': async () => {
      const { token } = await callers.signedIn();
      return { client: await clientOn('working', signedIn(token)), body: newRegistration() };
    },
    'a registration in a session from another site': async () => {
      const { token } = await callers.signedIn();
      const headers = { ...signedIn(token), Origin: 'https://other.example' };
      return { client: await clientOn('working', headers), body: newRegistration() };
    },
    'a registration with a key out of requests': async () => {
      const secret = await owner();
      const body = newRegistration();
      await (await unseenClientOn('limited', bearer(secret))).POST('/api/agents/register', { body });
      return { client: await clientOn('limited', bearer(secret)), body };
    },
  };
}
