import { loadPublicHandles } from '../../catalog/subjects/load-public-paths.ts';
import type { PublicUrls } from '../../catalog/subjects/public-path.ts';
import { presentSubject } from '../../catalog/subjects/subject.presenter.ts';
import type { CategoryStanding, Change, ChangedAdvisory as WireAdvisory } from '../../generated/types.gen.ts';
import type { HandlersOf } from '../../platform/http/contract/handlers-of.ts';
import { presentAgent } from '../agents/agent.presenter.ts';
import { loadFlags } from '../agents/get-agent.ts';
import type { ChangedAdvisory } from './change.queries.ts';
import { type ChangeEntry, listChanges } from './change-feed.ts';

/** Creates the handler of the change feed. */
export function createChangeHandlers({ publicUrls }: { publicUrls: PublicUrls }): HandlersOf<'listChanges'> {
  return {
    async listChanges({ reads, query }) {
      const { cursor = null, since = null, snapshot = false, kinds = null, type = null, limit } = query;
      const page = await listChanges(reads, { cursor, since, snapshot, kinds, type, limit }, publicUrls);
      const records = page.entries.flatMap(({ record }) => record ?? []);
      const [handles, flags] = await Promise.all([
        loadPublicHandles(reads, records, publicUrls),
        loadFlags(reads, records),
      ]);
      const data = page.entries.map(
        (entry): Change => ({
          kinds: entry.kinds,
          at: entry.at,
          canonical_id: entry.subjectId,
          type: entry.type,
          agent_id: entry.agentId,
          removed: entry.isRemoved,
          agent: entry.record && presentAgent(entry.record, handles, flags),
          subject: entry.subject && presentSubject(entry.subject),
          advisory: entry.advisory && presentAdvisory(entry.advisory),
          standing: presentStanding(entry.standing),
        }),
      );
      return { status: 200, body: { data, nextCursor: page.nextCursor, cursor: page.cursor } };
    },
  };
}

/** Maximum packages that the contract allows. */
const MAX_PACKAGES = 1_000;

function presentAdvisory({ id, modifiedAt, isWithdrawn, packages }: ChangedAdvisory): WireAdvisory {
  return { id, modified: modifiedAt, withdrawn: isWithdrawn, packages: packages.slice(0, MAX_PACKAGES) };
}

function presentStanding(standing: ChangeEntry['standing']): CategoryStanding | null {
  if (standing === null) return null;
  const { type, category } = standing as CategoryStanding;
  if (!('bounds' in standing)) return { type, category, bounds: [], among: 0, asOf: null };
  return { type, category, bounds: [...standing.bounds], among: standing.among, asOf: standing.countedAt };
}
