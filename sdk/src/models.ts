import type { components } from './generated/schema.ts';
import type { Open } from './open.ts';

type Schemas = components['schemas'];

/** Six metered operations. `agent_skill_lineage` needs a key with the scope `lineage:read`, the others `scores:read`. */
export type Operation = Schemas['Operation'];
/** What a trust score amounts to. Without a score it is `low`. */
export type Tier = Open<Schemas['Tier']>;
/** Category slug. */
export type Category = Open<Schemas['Category']>;
/** What a directory entry is. */
export type ListingType = Open<Schemas['ListingType']>;
/** What a subject is. Scores of different types are never mixed. */
export type SubjectType = Open<Schemas['SubjectType']>;
/** What paid for a call; chosen by the service. */
export type ChargeSource = Open<Schemas['ChargeSource']>;
/** Machine-readable error code. */
export type ErrorCode = Open<Schemas['DirectoryErrorCode'] | Schemas['OperationErrorCode']>;

/** Who listed an entry, in short. `trustScore` and `confidence` (0–100) are null unless the creator is verified. */
export type AgentCreator = Schemas['AgentCreator'];
/** What the repository host says. A member that isn't known is absent. Timestamps are ISO 8601 in UTC. */
export type RepositoryMetrics = Schemas['RepositoryMetrics'];
/** Kinds of account that a creator has proved. An absent member is not proved. */
export type VerifiedAccounts = Schemas['VerifiedAccounts'];

/** An agent or skill in the directory. Scores are 0–100, null where none is confirmed; timestamps ISO 8601 in UTC. */
export interface Agent extends Omit<Schemas['Agent'], 'type' | 'tier' | 'category'> {
  type: ListingType;
  tier: Tier;
  category: Category;
}

/** One page of the directory; `total` counts all entries that match. */
export interface AgentPage extends Omit<Schemas['AgentPage'], 'data'> {
  data: Agent[];
}

/** One relative of an entry. `trustEquityFlow` (0–100) is the equity inherited from the parent. */
export interface LineageNode extends Omit<Schemas['LineageNode'], 'agent'> {
  agent: Agent;
}

/** An entry, its ancestors (nearest first) and its descendants (breadth first). `depth` counts edges. */
export interface Lineage extends Omit<Schemas['Lineage'], 'root' | 'ancestors' | 'descendants'> {
  root: Agent;
  ancestors: LineageNode[];
  descendants: LineageNode[];
}

/** A creator's profile. Scores are 0–100, null where none is confirmed. */
export interface IdentityProfile extends Omit<Schemas['IdentityProfile'], 'tier'> {
  tier: Tier;
}

/** What a registration answers: the directory id and the URL of the public page. */
export type RegisteredAgent = Schemas['RegisteredAgent'];

/** One subject by its canonical id. */
export interface SubjectReference extends Omit<Schemas['SubjectReference'], 'type'> {
  type: SubjectType;
}

/** The subject that a call was resolved to. */
export interface ResolvedSubject extends Omit<Schemas['ResolvedSubject'], 'type'> {
  type: SubjectType;
}

/** The subject that was scored, and the registry that it came from. */
export interface ScoredSubject extends Omit<Schemas['ScoredSubject'], 'type'> {
  type: SubjectType;
}

/** The source that pays, after the call: calls for the charge source `free`, credits for the others. */
export interface Balance extends Omit<Schemas['Balance'], 'period_kind'> {
  period_kind: Open<Schemas['Balance']['period_kind']>;
}

/** Where a score comes from and how fresh it is. Timestamps are ISO 8601 in UTC. */
export interface ScoreEvidence extends Omit<Schemas['ScoreEvidence'], 'status'> {
  status: Open<Schemas['ScoreEvidence']['status']>;
}

/** What one signal added to trust, in points of 100. */
export interface Contribution extends Omit<Schemas['Contribution'], 'status'> {
  status: Open<Schemas['Contribution']['status']>;
}

type OpenedInScoreResult = 'mode' | 'resolved_subject' | 'score_evidence' | 'contributions';

/** A fresh score: trust and confidence, each 0–100, and what they rest on. */
export interface ScoreResult extends Omit<Schemas['ScoreResult'], OpenedInScoreResult> {
  mode: Open<Schemas['ScoreResult']['mode']>;
  resolved_subject: ScoredSubject;
  score_evidence: ScoreEvidence;
  contributions: Contribution[];
}

/** A fresh score with the lineage of the subject. */
export interface LineageResult extends ScoreResult {
  lineage: LineageReport;
}

/** Subject, creator and relationships. */
export interface LineageReport
  extends Omit<Schemas['LineageReport'], 'subject' | 'creator' | 'relationships'> {
  subject: LineageSubject;
  creator: LineageCreator;
  relationships: Relationship[];
}

/** The subject of a lineage report. */
export interface LineageSubject extends Omit<Schemas['LineageSubject'], 'type'> {
  type: ListingType;
}

/** The creator's own score (0–100), apart from the subject's; null and `unavailable` where none is confirmed. */
export interface LineageCreator extends Omit<Schemas['LineageCreator'], 'score_status'> {
  score_status: Open<Schemas['LineageCreator']['score_status']>;
}

/** An edge between two canonical ids. A claim: neither an endorsement nor a permission. */
export interface Relationship extends Omit<Schemas['Relationship'], 'type'> {
  type: Open<'created_by' | 'fork_of' | 'port_of' | 'based_on' | 'built_on' | 'copied_from'>;
}
