import { describe, expect, it } from 'vitest';
import { makeAccount } from '../../testing/factories.ts';
import { refusal, useOperations } from '../../testing/operations/operation-harness.ts';
import {
  type MadeListing,
  makeArtifact,
  makeCreator,
  makeListing,
  makeScore,
} from '../../testing/subjects/registry.factory.ts';
import { createPublicUrls } from '../catalog/subjects/public-path.ts';
import type { LineageReport } from '../generated/types.gen.ts';
import { lineageReport } from './lineage-report.queries.ts';
import type { OperationRequest } from './operation-call.ts';
import { presentOperation } from './operations.handlers.ts';

const NAMING = createPublicUrls('https://trust.example');
const world = useOperations();
const { run } = world;

/** Returns the lineage block of a paid call, as sent to clients. */
async function lineageOf(subject: string): Promise<LineageReport> {
  const account = await makeAccount(world.database);
  const operation = 'agent_skill_lineage' as const;
  const outcome = await run(account, { operation, subject });
  const { result } = presentOperation({ operation, subject, channel: 'api' } as OperationRequest, outcome);
  if (result === null || !('lineage' in result)) throw new Error('the answer has no lineage');
  return result.lineage;
}

describe('the lineage block', () => {
  it('shows the subject, its creator without a score as unavailable, and who created it', async () => {
    const { id, repository, creator } = await makeListing(world.database, { name: 'Some Skill' });

    expect(await lineageOf(repository)).toEqual({
      subject: { id, type: 'skill', name: 'Some Skill', repository },
      creator: {
        canonical_id: creator.id,
        handle: creator.handle,
        trust: null,
        confidence: null,
        score_status: 'unavailable',
        scored_at: null,
      },
      relationships: [{ type: 'created_by', from: id, to: creator.id }],
    });
  });

  it.each([true, false])("shows the creator's own confirmed score, verified: %s", async (verified) => {
    const creator = await makeCreator(world.database, { verified });
    const repository = `${creator.handle}/agent`;
    await makeListing(world.database, { type: 'agent', repository, creator });
    await makeScore(world.database, creator, { trust: 70.1, confidence: 30.2 });

    const { creator: shown } = await lineageOf(repository);

    expect(shown).toMatchObject({
      trust: 70.1,
      confidence: 30.2,
      score_status: 'scored',
      scored_at: '2026-08-01T10:20:30.123456Z',
    });
  });

  it("never derives the creator's score from the subject's", async () => {
    const { repository } = await makeListing(world.database);

    await lineageOf(repository);

    expect(await lineageOf(repository)).toMatchObject({
      creator: { trust: null, confidence: null, score_status: 'unavailable', scored_at: null },
    });
  });

  it('lists the parent and the children with the types of their edges, by canonical id', async () => {
    const parent = await makeListing(world.database);
    const middle = await makeListing(world.database, { type: 'agent', parentId: parent.id });
    const child = await makeListing(world.database, { parentId: middle.id });
    await world.database.query("UPDATE listing SET parent_relation = 'fork_of' WHERE subject_id = $1", [
      child.id,
    ]);
    const created = (listing: MadeListing) => ({
      type: 'created_by',
      from: listing.id,
      to: listing.creator.id,
    });
    const upward = { type: 'based_on', from: middle.id, to: parent.id };
    const downward = { type: 'fork_of', from: child.id, to: middle.id };

    expect((await lineageOf(middle.repository)).relationships).toEqual([created(middle), upward, downward]);
    expect((await lineageOf(parent.repository)).relationships).toEqual([created(parent), upward]);
    expect((await lineageOf(child.repository)).relationships).toEqual([created(child), downward]);
  });

  it('lists at most a hundred children, and says if there are more', async () => {
    const parent = await makeListing(world.database);
    for (let child = 0; child < 100; child++) await makeListing(world.database, { parentId: parent.id });
    const hundred = await lineageOf(parent.repository);
    await makeListing(world.database, { parentId: parent.id });

    const more = await lineageOf(parent.repository);

    expect(hundred.relationships).toHaveLength(101);
    expect(hundred).not.toHaveProperty('truncated');
    expect(more.relationships).toHaveLength(101);
    expect(more.truncated).toBe(true);
  });

  it("reports the repository's creator for a skill inside a repository, and no edges", async () => {
    const parent = await makeListing(world.database);
    const home = await makeListing(world.database, { parentId: parent.id });
    await makeListing(world.database, { parentId: home.id });
    const id = await makeArtifact(world.database, home, { name: 'tool' });

    expect(await lineageOf(`${home.repository}#tool`)).toMatchObject({
      subject: { id, name: 'tool', repository: home.repository },
      creator: { canonical_id: home.creator.id },
      relationships: [{ type: 'created_by', from: id, to: home.creator.id }],
    });
  });
});

describe('agent_skill_lineage', () => {
  it('accepts agents and skills, but no creators', async () => {
    const { creator } = await makeListing(world.database);
    const account = await makeAccount(world.database);
    const operation = 'agent_skill_lineage';

    expect(await refusal(run(account, { operation, subject: `@${creator.handle}` }))).toBe(
      'subject_not_found',
    );
    expect(await refusal(run(account, { operation, subject: creator.id }))).toBe('subject_not_found');
  });

  it('is the only operation with this block', async () => {
    const account = await makeAccount(world.database);

    const request = { operation: 'agent_score', subject: world.listing.repository, channel: 'api' } as const;
    const answer = presentOperation(request as OperationRequest, await run(account));

    expect(answer.result).not.toHaveProperty('lineage');
  });

  it('finds nothing for a subject that the registry no longer contains', async () => {
    const { creator } = await makeListing(world.database);

    expect(await lineageReport(world.database, creator.id, NAMING)).toBeNull();
  });
});
