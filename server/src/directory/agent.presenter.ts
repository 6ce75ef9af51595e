import type { Agent, RepositoryMetrics, Standing, SupersededBy } from '../generated/types.gen.ts';
import type { ListingMarks } from '../registry/relations/listing-marks.ts';
import { presentVerdict } from '../scoring/verdict/verdict.presenter.ts';
import type { PublicHandles } from '../subjects/load-public-handles.ts';
import type { AgentRecord } from './agent-record.ts';
import { agentVerdict } from './agent-verdict.ts';

/**
 * A directory record under the wire's names. What is not known is null or absent, and never a made-up value. Without `marks`
 * nothing is said of another entry in its place.
 */
export function presentAgent(
  record: AgentRecord,
  handles: PublicHandles,
  marks?: ReadonlyMap<string, ListingMarks>,
): Agent {
  const verdict = agentVerdict(record);
  return {
    id: record.agentId,
    type: record.type,
    name: record.name,
    description: record.description,
    category: record.category,
    tags: record.tags,
    kind: record.kind,
    license: record.license,
    creator: {
      handle: handles.get(record.creatorId) ?? record.creatorHandle,
      displayName: record.creatorDisplayName ?? record.creatorHandle,
      verified: record.creatorVerified,
      trustScore: record.creatorVerified ? record.creatorTrust : null,
      confidence: record.creatorVerified ? record.creatorConfidence : null,
    },
    repoHost: presentMetrics(record),
    repositoryUrl: record.repositoryUrl,
    verified: record.verified,
    trustScore: record.trust,
    confidence: record.confidence,
    tier: record.tier,
    scoreVersion: record.scoreVersion,
    verdict: verdict && presentVerdict(verdict),
    standing: presentStanding(record),
    ...(marks && { supersededBy: presentSuperseding(marks.get(record.subjectId)) }),
    listedAt: record.listedAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}

/** The share, of what, and as of when. */
function presentStanding({ standing, type, category }: AgentRecord): Standing | null {
  if (standing === null) return null;
  const { percentile, among, countedAt } = standing;
  return { category, type, percentile, among, asOf: countedAt };
}

/** A new name before an original: who moved is the same, who copied is another. */
function presentSuperseding(marks: ListingMarks | undefined): SupersededBy | null {
  const [as, other] = marks?.newer
    ? (['new_name', marks.newer] as const)
    : (['original', marks?.copyOf] as const);
  return other ? { id: other.agentId, name: other.name, as, stated: other.stated } : null;
}

/** An unknown metric is left out, because 0 would be a statement; null where none is known. */
function presentMetrics({
  stars,
  forks,
  openIssues,
  lastCommitAt,
  repositoryUrl,
}: AgentRecord): RepositoryMetrics | null {
  if (stars === null && forks === null && openIssues === null && lastCommitAt === null) return null;
  return {
    url: repositoryUrl,
    ...(stars === null ? {} : { stars }),
    ...(forks === null ? {} : { forks }),
    ...(openIssues === null ? {} : { openIssues }),
    ...(lastCommitAt === null ? {} : { lastCommit: lastCommitAt.toISOString() }),
  };
}
