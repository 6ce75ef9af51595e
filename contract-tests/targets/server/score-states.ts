import { randomUUID } from 'node:crypto';
import { scoreSubjects } from '../../../server/src/scoring/batches/score-subjects.ts';
import { embeddedBackend, scoreByMethod } from '../../../server/src/scoring/embedded/embedded-backend.ts';
import { RS_1_0_0 } from '../../../server/src/scoring/embedded/method-rs-1.0.0.ts';
import type { ScoringBackend } from '../../../server/src/scoring/scoring-backend.ts';
import { writeListings } from '../../../server/testing/outdated-copies.ts';
import { makeListing } from '../../../server/testing/subjects/registry.factory.ts';
import type { MakersOf, StateTools } from './state-tools.ts';

type ScoreState =
  | 'a score with its parts'
  | 'a score of a backend that names few parts'
  | 'a score that a cap lowers'
  | 'a container repository'
  | 'an old name of a repository'
  | 'an earlier score'
  | 'scores on several pages'
  | 'a subject without a score in its history'
  | 'a score that changed'
  | 'a score that has not changed'
  | 'scores that cannot be computed again'
  | 'an explanation that the client holds'
  | 'a history that the client holds'
  | 'a difference that the client holds'
  | 'a cursor of another history'
  | 'a time before the first score'
  | 'times of scores in the wrong order';

/** Backend that scores with the first version of the method, like a server before an upgrade. */
const FORMER: ScoringBackend = {
  source: 'embedded',
  score: async (request) => scoreByMethod(request, RS_1_0_0),
};

/** Creates a remote backend of another provider. It reports a single signal, whose points are less than the score's trust. */
function remote(trust: number): ScoringBackend {
  const told = { value: 1, weight: 1, evidence: 1, source: null, observedAt: null, reason: null };
  const contributions = [{ ...told, signal: 'house_style', points: 20, status: 'observed' }];
  return {
    source: 'scores.example',
    score: async ({ subject: { type } }) =>
      ({ subjectType: type, status: 'complete', trust, confidence: 40, contributions }) as never,
  };
}

/** Creates the states of scores that are explained, listed and compared. */
export function scoreStates({ world, clientOn, unseenClientOn }: StateTools): MakersOf<ScoreState> {
  const { database } = world;

  /**
   * Creates a listing and lets each backend score it. If `isChanging`, the licence becomes known before the second
   * score.
   */
  const scored = async (backends: readonly ScoringBackend[], isChanging = true) => {
    const made = { type: 'agent', stars: 400, forks: 30, lastCommitAt: '2026-08-20T06:00:00Z' } as const;
    const { id, repository } = await makeListing(database, made);
    for (const [place, backend] of backends.entries()) {
      if (place > 0 && isChanging)
        await writeListings(database, "UPDATE listing SET license = 'MIT' WHERE subject_id = $1", [id]);
      await scoreSubjects(database, backend, [id]);
    }
    const versions = await database.query<{ version: string }>(
      'SELECT utc_text(version) AS version FROM score_version WHERE subject_id = $1 ORDER BY version',
      [id],
    );
    return {
      client: await clientOn('working'),
      ...{ id, label: repository, type: 'agent' },
      from: versions[0]?.version ?? '',
      to: versions.at(-1)?.version ?? '',
    };
  };
  /** Reads an answer that does not count as received by the test, and returns its ETag with the subject. */
  const held = async (part: 'explain' | 'history' | 'difference') => {
    const subject = await scored([FORMER, embeddedBackend]);
    const params = { path: { canonical_id: subject.id } };
    const client = await unseenClientOn('working');
    const { response } = await client.GET(`/api/subjects/{canonical_id}/${part}`, { params });
    return { ...subject, etag: response.headers.get('etag') ?? '' };
  };

  return {
    'a score with its parts': () => scored([embeddedBackend]),
    'a score of a backend that names few parts': () => scored([remote(60)]),
    'a score that a cap lowers': async () => {
      const { id } = await makeListing(database, { type: 'agent', stars: 9_000, forks: 900 });
      await writeListings(database, 'UPDATE listing SET archived = true WHERE subject_id = $1', [id]);
      await scoreSubjects(database, embeddedBackend, [id]);
      return { client: await clientOn('working'), id, label: id, type: 'agent' };
    },
    'a container repository': async () => {
      const { id } = await makeListing(database, { repository: `acme-${randomUUID()}/awesome-agents` });
      return { client: await clientOn('working'), id, label: id, type: 'agent' };
    },
    'an old name of a repository': async () => {
      const [old, current] = [await makeListing(database, {}), await makeListing(database, {})];
      await database.query(
        `INSERT INTO relation (type, from_repository, to_repository, from_listing_id, to_listing_id, directed, stated, source)
         VALUES ('probable_rename_to', $1, $2, $3, $4, true, false, 'test')`,
        [old.repository, current.repository, old.id, current.id],
      );
      return { client: await clientOn('working'), id: old.id, label: old.id, type: 'agent' };
    },
    'an earlier score': () => scored([FORMER, embeddedBackend]),
    'scores on several pages': () => scored([FORMER, embeddedBackend, embeddedBackend]),
    'a subject without a score in its history': () => scored([]),
    'a score that changed': () => scored([FORMER, embeddedBackend]),
    'a score that has not changed': () => scored([embeddedBackend, embeddedBackend], false),
    'scores that cannot be computed again': () => scored([remote(60), remote(70)]),
    'an explanation that the client holds': () => held('explain'),
    'a history that the client holds': () => held('history'),
    'a difference that the client holds': () => held('difference'),
    'a cursor of another history': async () => {
      const [subject, other] = [
        await scored([embeddedBackend]),
        await scored([embeddedBackend, embeddedBackend]),
      ];
      const client = await unseenClientOn('working');
      const { data } = await client.GET('/api/subjects/{canonical_id}/history', {
        params: { path: { canonical_id: other.id }, query: { limit: 1 } },
      });
      return { ...subject, cursor: data?.nextCursor ?? '' };
    },
    'a time before the first score': async () => ({
      ...(await scored([embeddedBackend])),
      from: '2020-01-01T00:00:00Z',
    }),
    'times of scores in the wrong order': async () => {
      const { from, to, ...subject } = await scored([FORMER, embeddedBackend]);
      return { ...subject, from: to, to: from };
    },
  };
}
