import type { components } from '../generated/schema.ts';
import type { Open, Opened } from './open.ts';

type Schemas = components['schemas'];

/** Six metered operations. `agent_skill_lineage` needs a key with the scope `lineage:read`, the others `scores:read`. */
export type Operation = Schemas['Operation'];
/** How high a trust score is, in a word. Without a score it is `low`. */
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
export type AgentCreator = Opened<Schemas['AgentCreator']>;
/** What the repository host says. A member that isn't known is absent. Timestamps are ISO 8601 in UTC. */
export type RepositoryMetrics = Opened<Schemas['RepositoryMetrics']>;
/** Kinds of account that a creator has proved. An absent member is not proved. */
export type VerifiedAccounts = Opened<Schemas['VerifiedAccounts']>;

/** An agent or skill in the directory. Scores are 0–100, null where none is confirmed; timestamps ISO 8601 in UTC. */
export type Agent = Opened<Schemas['Agent']>;
/** One page of the directory; `total` counts all entries that match. */
export type AgentPage = Opened<Schemas['AgentPage']>;
/** One relative of an entry. `trustEquityFlow` (0–100) is the equity inherited from the parent. */
export type LineageNode = Opened<Schemas['LineageNode']>;
/** An entry, its ancestors (nearest first) and its descendants (breadth first). `depth` counts edges. */
export type Lineage = Opened<Schemas['Lineage']>;
/** A creator's profile. Scores are 0–100, null where none is confirmed. */
export type IdentityProfile = Opened<Schemas['IdentityProfile']>;
/** The answer to a registration: the directory id and the URL of the public page. */
export type RegisteredAgent = Opened<Schemas['RegisteredAgent']>;

/** One subject by its canonical id. */
export type SubjectReference = Opened<Schemas['SubjectReference']>;
/** The subject that a call was resolved to. */
export type ResolvedSubject = Opened<Schemas['ResolvedSubject']>;
/** The stored record of a subject. Scores are 0–100, null where none is confirmed; timestamps ISO 8601 in UTC. */
export type SubjectRecord = Opened<Schemas['Subject']>;

/** What was reserved or charged for one attempt of an operation. Timestamps are ISO 8601 in UTC. */
export type Receipt = Opened<Schemas['Receipt']>;
/** One page of receipts, newest first. */
export type ReceiptPage = Opened<Schemas['ReceiptPage']>;
/** The source that pays, after the call: calls for the charge source `free`, credits for the others. */
export type Balance = Opened<Schemas['Balance']>;

/** The subject that was scored, and the registry that it came from. */
export type ScoredSubject = Opened<Schemas['ScoredSubject']>;
/** Where a score comes from and how fresh it is. Timestamps are ISO 8601 in UTC. */
export type ScoreEvidence = Opened<Schemas['ScoreEvidence']>;
/** What one signal added to trust, in points of 100. */
export type Contribution = Opened<Schemas['Contribution']>;
/** A fresh score: trust and confidence, each 0–100, and what they rest on. */
export type ScoreResult = Opened<Schemas['ScoreResult']>;
/** A fresh score with the lineage of the subject. */
export type LineageResult = Opened<Schemas['LineageResult']>;
/** Subject, creator and relationships. */
export type LineageReport = Opened<Schemas['LineageReport']>;
/** The subject of a lineage report. */
export type LineageSubject = Opened<Schemas['LineageSubject']>;
/** The creator's own score (0–100), apart from the subject's; null and `unavailable` where none is confirmed. */
export type LineageCreator = Opened<Schemas['LineageCreator']>;
/** An edge between two canonical ids. A claim: neither an endorsement nor a permission. */
export type Relationship = Opened<Schemas['Relationship']>;

/** One page of what you have listed, newest first. */
export type OwnAgentPage = Opened<Schemas['OwnAgentPage']>;
/** An account elsewhere that you have linked. Timestamps are ISO 8601 in UTC. */
export type LinkedAccount = Opened<Schemas['LinkedAccount']>;
/** All accounts that you have linked. */
export type LinkedAccountList = Opened<Schemas['LinkedAccountList']>;
/** Another creator's listing that names one of yours as its parent. */
export type ChildClaim = Opened<Schemas['ChildClaim']>;
/** One page of claims, by id. */
export type ChildClaimPage = Opened<Schemas['ChildClaimPage']>;

/** Who is signed in, and until when. Timestamps are ISO 8601 in UTC. */
export type ConsoleSession = Opened<Schemas['ConsoleSession']>;
/** How many sessions ended. */
export type EndedSessions = Opened<Schemas['EndedSessions']>;
/** Plan, prices, and what is left of each source, in the order in which sources pay. */
export type AccountBalance = Opened<Schemas['AccountBalance']>;
/** One balance: `total - used - held = left`, in calls for the source `free`, in credits for the others. */
export type AccountBucket = Opened<Schemas['AccountBucket']>;
/** An access key without its secret. Timestamps are ISO 8601 in UTC. */
export type AccessKey = Opened<Schemas['AccessKey']>;
/** One page of keys, newest first, and how many the plan lets work at the same time. */
export type AccessKeyPage = Opened<Schemas['AccessKeyPage']>;
/** A new key with its secret, which nobody can show again. */
export type CreatedAccessKey = Opened<Schemas['CreatedAccessKey']>;
/** What one day's calls of one operation, with one key, took from one balance. */
export type UsageRow = Opened<Schemas['UsageRow']>;
/** One page of usage, latest day first. */
export type UsagePage = Opened<Schemas['UsagePage']>;
