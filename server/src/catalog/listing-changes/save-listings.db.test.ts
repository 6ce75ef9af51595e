import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { listing, relation } from '../../../testing/import/rows.ts';
import { ensureCreators } from '../creators/save-creators.ts';
import { inRegistryTransaction, lockKeys } from '../registry-locks.ts';
import { type ParentOutcome, setParent } from '../relations/lineage-edges.ts';
import { createPublicUrls } from '../subjects/public-path.ts';
import { resolveSubject } from '../subjects/resolve-subject.ts';
import { drawAgentIds } from './match-listings.ts';
import { type InsertedListing, insertListing } from './save-listings.ts';

let work: ImportWorkspace;
let creatorId: string;
const registeredBy = randomUUID();

beforeAll(async () => {
  work = await createImportWorkspace();
});
beforeEach(async () => {
  const creators = await ensureCreators(work.database, [{ host: 'directory', handle: 'maker' }]);
  creatorId = creators.get('directory:maker')?.id ?? '';
  await work.database.query(`INSERT INTO account (id, handle, plan) VALUES ($1, 'maker', 'free')`, [
    registeredBy,
  ]);
});

afterEach(() => work.empty());
afterAll(() => work.close());

function register(repository: string): Promise<InsertedListing> {
  const repositoryUrl = `https://github.com/${repository}`;
  return inRegistryTransaction(work.database, async (connection) => {
    await lockKeys(connection, []);
    return insertListing(connection, {
      type: 'agent',
      name: 'A helper',
      description: 'Helps with things',
      category: 'coding',
      tags: ['help'],
      host: 'github.com',
      repository,
      repositoryUrl,
      creatorId,
      registeredBy,
    });
  });
}

function claim(childId: string, parentId: string): Promise<ParentOutcome> {
  return inRegistryTransaction(work.database, async (connection) => {
    await lockKeys(connection, []);
    return setParent(connection, { childId, parentId, relation: 'based_on', stated: false });
  });
}

describe('insertListing', () => {
  it('stores a listing with its aliases and search words', async () => {
    const { subjectId, agentId } = await register('maker/helper');

    expect(agentId).toMatch(/^AGT-[0-9A-HJKMNP-TV-Z]{8}$/);
    const publicUrls = createPublicUrls('http://directory.example');
    for (const name of [agentId, 'Maker/Helper', 'A helper', 'https://github.com/maker/helper.git']) {
      expect((await resolveSubject(work.database, 'agent', name, publicUrls)).id).toBe(subjectId);
    }
    const words = await work.database.query(
      `SELECT source FROM listing JOIN listing_words USING (agent_id) WHERE words @@ '''thing'':* & ''maker'''::tsquery`,
    );
    expect(words).toEqual([{ source: 'registration' }]);
  });

  it('lists a repository once despite concurrent registrations', async () => {
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => register('maker/helper')));

    const refusals = attempts.flatMap((attempt) =>
      attempt.status === 'rejected' ? [attempt.reason.code] : [],
    );
    expect(refusals).toEqual(Array(7).fill('already_registered'));
    expect(await work.database.query('SELECT count(*) AS count FROM subject')).toEqual([{ count: 2 }]);
  });

  it('becomes the parent of listings that waited for it, and returns those to score', async () => {
    await work.store(listing('fan/fork'), relation('fork_of', 'fan/fork', 'maker/helper'));

    const { subjectId, dueByLineage } = await register('maker/helper');

    const children = await work.database.query<{ id: string }>(
      'SELECT subject_id AS id FROM listing WHERE parent_id = $1',
      [subjectId],
    );
    expect(children).toHaveLength(1);
    expect(dueByLineage).toEqual(children.map(({ id }) => id));
  });
});

describe('setParent', () => {
  it('stores a claimed edge, prefers statements, and refuses a cycle', async () => {
    const [one, two, three] = [await register('m/one'), await register('m/two'), await register('m/three')];

    expect(await claim(two.subjectId, one.subjectId)).toEqual({ outcome: 'set', changed: [two.subjectId] });
    expect(await claim(one.subjectId, two.subjectId)).toEqual({ outcome: 'circle', changed: [] });
    await work.store(relation('fork_of', 'm/three', 'm/two'));
    expect(await claim(three.subjectId, one.subjectId)).toEqual({ outcome: 'other_parent', changed: [] });
    expect(await claim(two.subjectId, one.subjectId)).toEqual({ outcome: 'set', changed: [] });
  });

  it('prevents a cycle whose halves are claimed concurrently', async () => {
    const listings = [await register('m/a'), await register('m/b'), await register('m/c')];
    const ids = listings.map(({ subjectId }) => subjectId);

    await Promise.all(ids.map((id, index) => claim(id, ids[(index + 1) % 3] as string)));

    const [roots] = await work.database.query<{ count: number }>(
      'SELECT count(*) AS count FROM listing WHERE parent_id IS NULL',
    );
    expect(roots?.count).toBe(1);
  });
});

describe('drawAgentIds', () => {
  it('draws again if an id is taken, and never returns an id twice', async () => {
    const { agentId } = await register('maker/helper');
    const draws = [agentId, 'AGT-00000001', 'AGT-00000001', agentId, 'AGT-00000002'];

    const ids = await drawAgentIds(work.database, 2, () => draws.shift() ?? 'AGT-00000003');

    expect(ids).toEqual(['AGT-00000001', 'AGT-00000002']);
  });
});
