import { randomUUID } from 'node:crypto';
import { makeAccount, makeListing } from '../../../server/testing/factories.ts';
import { answer } from '../../../server/testing/stand-ins/stand-in-backend.ts';
import { makePlatformAccount } from '../../../server/testing/subjects/account.factory.ts';
import { makeListing as makeRegistered } from '../../../server/testing/subjects/registry.factory.ts';
import { bearer, signedIn } from '../client.ts';
import type { RunBody } from '../states.ts';
import { callersOf } from './callers.ts';
import type { MakersOf, StateTools } from './state-tools.ts';

type MeteredState =
  | 'a listed agent with a parent'
  | 'a creator with a listing'
  | 'a listed social account'
  | 'a listed messaging account'
  | 'an operation in a console session'
  | 'an operation in a console session for one of its keys'
  | 'an operation in a session that has ended'
  | 'an operation in a session that names a paused key'
  | 'an operation in a session that names a foreign key'
  | 'an operation in a session from another site';

/** Creates the states of metered operations other than `agent_score`, and of metered calls from the console's pages. */
export function meteredStates({ world, clientOn }: StateTools): MakersOf<MeteredState> {
  const { database, backend } = world;
  const callers = callersOf(world);

  async function about(operation: RunBody['operation'], subject: string) {
    const { key } = await callers.account();
    const body: RunBody = { operation, subject, idempotency_key: randomUUID() };
    return { client: await clientOn('working', bearer(key.secret)), body };
  }
  /**
   * Builds a call for a subject that has no evidence in the test database. The backend then answers with a fixed usable
   * score.
   */
  async function aboutLittleKnown(operation: RunBody['operation'], subject: string) {
    backend.behave(answer);
    return about(operation, subject);
  }
  async function account(type: 'social_account' | 'messaging_account') {
    const { platform, handle } = await makePlatformAccount(database, { type, handle: `a${made()}` });
    return `${platform}:${handle}`;
  }
  async function inSession(token: string, keyId?: string, headers: Record<string, string> = {}) {
    const { repository } = await makeListing(database);
    const body: RunBody = { operation: 'agent_score', subject: repository, idempotency_key: randomUUID() };
    return {
      client: await clientOn('working', { ...signedIn(token), ...headers }),
      body: { ...body, ...(keyId && { api_key_id: keyId }) },
    };
  }

  return {
    'a listed agent with a parent': async () => {
      const parent = await makeRegistered(database, { repository: `parent-${made()}/agent` });
      const input = { type: 'agent', repository: `child-${made()}/agent`, parentId: parent.id } as const;
      const { repository } = await makeRegistered(database, input);
      return { ...(await about('agent_skill_lineage', repository)), parentId: parent.id };
    },
    'a creator with a listing': async () => {
      const { repository } = await makeListing(database);
      return aboutLittleKnown('creator_score', `@${repository.split('/')[0]}`);
    },
    'a listed social account': async () =>
      aboutLittleKnown('social_account_score', await account('social_account')),
    'a listed messaging account': async () =>
      aboutLittleKnown('messenger_account_score', await account('messaging_account')),
    'an operation in a console session': async () => inSession((await callers.signedIn()).token),
    'an operation in a console session for one of its keys': async () => {
      const { token, key } = await callers.signedIn();
      return inSession(token, key.id);
    },
    'an operation in a session that has ended': async () =>
      inSession((await callers.signedIn('ended_at = ledger_now()')).token),
    'an operation in a session that names a paused key': async () => {
      const { token, key } = await callers.signedIn();
      await database.query('UPDATE access_key SET paused_at = ledger_now() WHERE id = $1', [key.id]);
      return inSession(token, key.id);
    },
    'an operation in a session that names a foreign key': async () =>
      inSession((await callers.signedIn()).token, (await makeAccount(database)).key.id),
    'an operation in a session from another site': async () =>
      inSession((await callers.signedIn()).token, undefined, { Origin: 'https://elsewhere.example' }),
  };
}

/** Generates a unique part of a name. */
function made(): string {
  return randomUUID().slice(0, 8);
}
