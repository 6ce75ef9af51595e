import { containerReason } from '../../catalog/listings/container-repository.ts';
import type { ListingFlags } from '../../catalog/relations/listing-flags.ts';
import type { PublicHandles } from '../../catalog/subjects/load-public-paths.ts';
import type {
  Agent,
  AgentPackage,
  Container,
  RepositoryMetrics,
  Standing,
  SupersededBy,
} from '../../generated/types.gen.ts';
import { presentVerdict } from '../../scoring/verdict/verdict.presenter.ts';
import type { AgentRecord } from './agent-record.ts';
import { agentVerdict } from './agent-record.ts';

/**
 * Maps a record to its API fields. Unknown values are null or absent. Without `flags`, `supersededBy` is absent, too.
 */
export function presentAgent(
  record: AgentRecord,
  handles: PublicHandles,
  flags?: ReadonlyMap<string, ListingFlags>,
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
    packageConfirmed: record.packageConfirmed,
    container: containerOf(record),
    packages: presentPackages(record),
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
    ...(flags && { supersededBy: presentSuperseding(flags.get(record.subjectId)) }),
    listedAt: record.listedAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}

/** Describes a repository that collects servers, skills, agents or plugins; returns null for any other repository. */
export function containerOf(
  record: Pick<AgentRecord, 'repositoryUrl' | 'kind' | 'description' | 'partCount'>,
): Container | null {
  const { repositoryUrl: repository, kind, description, partCount: parts } = record;
  const because = containerReason({ repository, kind, description, parts });
  return because === null ? null : { parts, because };
}

function presentPackages({ packages }: AgentRecord): AgentPackage[] {
  if (packages === null) return [];
  const { npm, pypi, npmConfirmed, npmMissing, pypiConfirmed, pypiMissing, others } = packages;
  return [
    ...presentPackage('npm', npm, npmConfirmed, npmMissing),
    ...presentPackage('pypi', pypi, pypiConfirmed, pypiMissing),
    ...others.flatMap(({ registry, name, isConfirmed }) => presentPackage(registry, name, isConfirmed)),
  ];
}

function presentPackage(
  registry: string,
  name: string | null,
  isConfirmed: boolean,
  isMissing = false,
): AgentPackage[] {
  if (name === null) return [];
  return [{ registry, name, standing: isMissing ? 'missing' : isConfirmed ? 'confirmed' : 'named' }];
}

/** Maps the standing of a listing within its type and category: percentage, group and time of the count. */
function presentStanding({ standing, type, category }: AgentRecord): Standing | null {
  if (standing === null) return null;
  const { percentile, among, countedAt } = standing;
  return { category, type, percentile, among, asOf: countedAt };
}

/**
 * Presents the listing that supersedes this one: the same repository under a newer name, otherwise the original that
 * this one copies.
 */
export function presentSuperseding(flags: ListingFlags | undefined): SupersededBy | null {
  const [as, other] = flags?.newer
    ? (['new_name', flags.newer] as const)
    : (['original', flags?.copyOf] as const);
  return other ? { id: other.agentId, name: other.name, as, stated: other.stated } : null;
}

/** Maps metrics to their API fields. Leaves out unknown ones, because 0 would be wrong. Null if none is known. */
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
