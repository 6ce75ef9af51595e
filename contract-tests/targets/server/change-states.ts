import { publishAll } from '../../../server/testing/changes/follow-changes.ts';
import { makeListing } from '../../../server/testing/subjects/registry.factory.ts';
import type { MakersOf, StateTools } from './state-tools.ts';

type ChangeState =
  | 'changes on several pages'
  | 'a removed listing'
  | 'nothing new'
  | 'changes that the client holds'
  | 'a cursor of another feed'
  | 'a cursor whose changes are no longer kept';

/** Position in the history of another database. */
const LOST = JSON.stringify(['4f9a2710-0c5b-4e1d-9d36-a2b7c8e5f011', '91402', '0']);

/** Creates the states of the change feed. Each begins after the changes of the states before it. */
export function changeStates({ world, clientOn, unseenClientOn }: StateTools): MakersOf<ChangeState> {
  const { database } = world;
  const end = async () => {
    await publishAll(database);
    const params = { query: { since: '2999-01-01T00:00:00Z' } };
    const { data } = await (await unseenClientOn('working')).GET('/api/changes', { params });
    return data?.cursor ?? '';
  };
  const changed = async () => {
    const cursor = await end();
    const listings = [await makeListing(database), await makeListing(database), await makeListing(database)];
    await publishAll(database);
    return { client: await clientOn('working'), cursor, listings };
  };
  return {
    'changes on several pages': changed,
    'a removed listing': async () => {
      const { client, cursor, listings } = await changed();
      const [{ id, agentId } = { id: '', agentId: '' }] = listings;
      await database.query('DELETE FROM subject_alias WHERE subject_id = $1', [id]);
      await database.query('DELETE FROM listing WHERE subject_id = $1', [id]);
      await publishAll(database);
      return { client, cursor, id: agentId };
    },
    'nothing new': async () => ({ client: await clientOn('working'), cursor: await end() }),
    'changes that the client holds': async () => {
      const { client, cursor } = await changed();
      const params = { query: { cursor } };
      const held = await (await unseenClientOn('working')).GET('/api/changes', { params });
      return { client, cursor, etag: held.response.headers.get('etag') ?? '' };
    },
    'a cursor of another feed': async () => ({ client: await clientOn('working'), cursor: 'W10' }),
    'a cursor whose changes are no longer kept': async () => {
      await publishAll(database);
      return { client: await clientOn('working'), cursor: Buffer.from(LOST).toString('base64url') };
    },
  };
}
