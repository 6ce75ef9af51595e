import { randomUUID } from 'node:crypto';
import { scoreSubjects } from '../../../server/src/scoring/batches/score-subjects.ts';
import { createStandIn } from '../../../server/testing/stand-ins/stand-in-backend.ts';
import { makePlatformAccount } from '../../../server/testing/subjects/account.factory.ts';
import { makeArtifact, makeCreator, makeListing } from '../../../server/testing/subjects/registry.factory.ts';
import { PUBLIC_URL } from '../client.ts';
import { giveScore } from './server-world.ts';
import type { MakersOf, StateTools } from './state-tools.ts';

type SubjectState =
  | 'a listed subject'
  | 'a subject inside a repository'
  | 'a social account'
  | 'a subject without a score'
  | 'a subject that the client holds'
  | 'a label that nobody has'
  | 'a label of several subjects'
  | 'a canonical id that nobody has'
  | 'a signed subject'
  | 'a signed subject inside a repository'
  | 'a subject without a score to sign'
  | 'a signature that the client holds'
  | 'signing keys that the client holds';

/** Creates the states of subject look-ups. */
export function subjectStates({ world, clientOn, unseenClientOn }: StateTools): MakersOf<SubjectState> {
  const { database } = world;
  const called = async (subject: { id: string; label: string; type: string }) => {
    await giveScore(world, subject.id);
    return { client: await clientOn('working'), ...subject };
  };
  const listed = async () => {
    const { id, repository } = await makeListing(database, { type: 'agent' });
    return called({ id, label: `https://github.com/${repository}.git`, type: 'agent' });
  };

  const inside = async () => {
    const listing = await makeListing(database, { type: 'skill' });
    const id = await makeArtifact(database, listing, { name: 'notes' });
    return called({ id, label: `${listing.repository}#notes`, type: 'skill' });
  };
  /** Scores a subject from its facts, so that a signed score with these facts exists. */
  const scored = async (subject: Awaited<ReturnType<typeof called>>) => {
    await scoreSubjects(database, createStandIn(), [subject.id]);
    return { ...subject, issuer: PUBLIC_URL };
  };

  return {
    'a listed subject': listed,
    'a subject inside a repository': inside,
    'a social account': async () => {
      const { id, handle } = await makePlatformAccount(database);
      return called({ id, label: `https://x.com/${handle}`, type: 'social_account' });
    },
    'a subject without a score': async () => {
      const { id, handle } = await makeCreator(database);
      return { client: await clientOn('working'), id, label: `@${handle}`, type: 'creator' };
    },
    'a subject that the client holds': async () => {
      const { client, id, label } = await listed();
      const params = { path: { canonical_id: id } };
      const subject = await (await unseenClientOn('working')).GET('/api/subjects/{canonical_id}', { params });
      return { client, id, label, etag: subject.response.headers.get('etag') ?? '' };
    },
    'a signed subject': async () => scored(await listed()),
    'a signed subject inside a repository': async () => scored(await inside()),
    'a subject without a score to sign': async () => {
      const { id } = await makeCreator(database);
      return { client: await clientOn('working'), id };
    },
    'a signature that the client holds': async () => {
      const { client, id } = await scored(await listed());
      const params = { path: { canonical_id: id } };
      const reader = await unseenClientOn('working');
      const signature = await reader.GET('/api/subjects/{canonical_id}/signature', { params });
      return { client, id, etag: signature.response.headers.get('etag') ?? '' };
    },
    'signing keys that the client holds': async () => {
      const keys = await (await unseenClientOn('working')).GET('/.well-known/jwks.json');
      return { client: await clientOn('working'), etag: keys.response.headers.get('etag') ?? '' };
    },
    'a label that nobody has': async () => ({
      client: await clientOn('working'),
      label: 'nobody/nothing',
    }),
    'a label of several subjects': async () => {
      const name = `same ${randomUUID().slice(0, 8)}`;
      await makeListing(database, { name });
      await makeListing(database, { name, type: 'agent' });
      return { client: await clientOn('working'), label: name };
    },
    'a canonical id that nobody has': async () => ({ client: await clientOn('working'), id: randomUUID() }),
  };
}
