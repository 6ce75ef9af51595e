import type { components } from '../generated/schema.ts';
import type { Open, Opened } from './open-enum.ts';

type Schemas = components['schemas'];

/**
 * Name of a metered operation. `agent_skill_lineage` needs a key with the scope `lineage:read`, the others
 * `scores:read`.
 */
export type Operation = Schemas['Operation'];
/** Tier of a trust score; `low` without a score. */
export type Tier = Open<Schemas['Tier']>;
/** Category slug of an entry. */
export type Category = Open<Schemas['Category']>;
/** Type of a directory entry: agent or skill. */
export type ListingType = Open<Schemas['ListingType']>;
/** Type of a subject. Scores of different types are not comparable. */
export type SubjectType = Open<Schemas['SubjectType']>;
/** Balance that paid for a call; the service chooses it. */
export type ChargeSource = Open<Schemas['ChargeSource']>;
/** Machine-readable code of an error. */
export type ErrorCode = Open<Schemas['DirectoryErrorCode'] | Schemas['OperationErrorCode']>;

/**
 * Creator of an entry. `trustScore` and `confidence` (0–100) are null if the creator isn't verified or has no confirmed
 * score.
 */
export type AgentCreator = Opened<Schemas['AgentCreator']>;
/** Facts from the repository host; a member that is unknown is absent. Timestamps are ISO 8601 in UTC. */
export type RepositoryMetrics = Opened<Schemas['RepositoryMetrics']>;
/** Account kinds that a creator has verified; an absent member is not verified. */
export type VerifiedAccounts = Opened<Schemas['VerifiedAccounts']>;

/**
 * An agent or skill in the directory. Scores are 0–100, or null without a confirmed score. Timestamps are ISO 8601 in
 * UTC.
 */
export type Agent = Opened<Schemas['Agent']>;
/**
 * One page of the directory. `total` is the number of matching entries; if `totalIsLowerBound` is true, more may match
 * a search. `ignoredWords` are words of `q` that were not looked for; `nearest` are entries to look at if nothing matches.
 */
export type AgentPage = Opened<Schemas['AgentPage']>;
/** An ancestor or descendant of an entry. `trustEquityFlow` (0–100) is the trust inherited from the parent. */
export type LineageNode = Opened<Schemas['LineageNode']>;
/** An entry, its ancestors (nearest first) and its descendants (breadth first). `depth` counts edges. */
export type Lineage = Opened<Schemas['Lineage']>;
/** Profile of a creator. Scores are 0–100, or null without a confirmed score. */
export type IdentityProfile = Opened<Schemas['IdentityProfile']>;
/** Result of a registration: directory id and URL of the public page. */
export type RegisteredAgent = Opened<Schemas['RegisteredAgent']>;

/** Reference to a subject by canonical id. */
export type SubjectReference = Opened<Schemas['SubjectReference']>;
/** Subject that a call was resolved to. */
export type ResolvedSubject = Opened<Schemas['ResolvedSubject']>;
/** Stored record of a subject. Scores are 0–100, or null without a confirmed score. Timestamps are ISO 8601 in UTC. */
export type SubjectRecord = Opened<Schemas['Subject']>;
/** Results of a look-up of many subjects, in the order of the request. */
export type SubjectLookups = Opened<Schemas['SubjectLookups']>;
/** Result for one of many subjects. `record` is null unless the `status` is `found`. */
export type SubjectLookup = Opened<Schemas['SubjectLookup']>;

/**
 * A stored score with all its parts: the points of the contributions, the prior and the caps add up to trust.
 * Timestamps are ISO 8601 in UTC.
 */
export type ScoreExplanation = Opened<Schemas['ScoreExplanation']>;
/** One signal of a score: the observed value with its source and time, and its share of trust and confidence. */
export type ScoreContribution = Opened<Schemas['ScoreContribution']>;
/** A stored score of a subject: a past one, or the current one. */
export type ScoreVersion = Opened<Schemas['ScoreVersion']>;
/** One page of a subject's stored scores, newest first. */
export type ScoreHistory = Opened<Schemas['ScoreHistory']>;
/** Difference between two scores, by signal and by cause: changed facts, a new method, and the passing of time. */
export type ScoreDifference = Opened<Schemas['ScoreDifference']>;
/** Score of a subject as a signed document (JWS, Ed25519). */
export type ScoreSignature = Opened<Schemas['ScoreSignature']>;
/** Public keys of the service, as a JWK set. */
export type SigningKeys = Opened<Schemas['SigningKeys']>;

/** Known advisories of a package, or of one of its versions. Timestamps are ISO 8601 in UTC. */
export type PackageReport = Opened<Schemas['PackageReport']>;
/** One vulnerability of a package, or a report that it is malicious, merged from the records of several sources. */
export type Advisory = Opened<Schemas['Advisory']>;
/** Standing of a package by its advisories; `unknown` if no advisory database was read recently. */
export type PackageStanding = Open<Schemas['PackageStanding']>;

/** One page of changes of the directory, oldest first. */
export type ChangePage = Opened<Schemas['ChangePage']>;
/** Changes of one listing, subject, advisory or category, with its current state. Timestamps are ISO 8601 in UTC. */
export type Change = Opened<Schemas['Change']>;

/** One attempt of an operation: in progress, charged or failed. Timestamps are ISO 8601 in UTC. */
export type Receipt = Opened<Schemas['Receipt']>;
/** One page of receipts, newest first. */
export type ReceiptPage = Opened<Schemas['ReceiptPage']>;
/** State of the balance that pays, after the call: in calls for the charge source `free`, in credits for the others. */
export type Balance = Opened<Schemas['Balance']>;

/** Scored subject and the registry it comes from. */
export type ScoredSubject = Opened<Schemas['ScoredSubject']>;
/** Source and age of a score. Timestamps are ISO 8601 in UTC. */
export type ScoreEvidence = Opened<Schemas['ScoreEvidence']>;
/** Points (of 100) that one signal added to trust. */
export type Contribution = Opened<Schemas['Contribution']>;
/** A fresh score: trust and confidence (0–100) with their evidence. */
export type ScoreResult = Opened<Schemas['ScoreResult']>;
/** A fresh score with the lineage of the subject. */
export type LineageResult = Opened<Schemas['LineageResult']>;
/** Lineage report: subject, creator and relationships. */
export type LineageReport = Opened<Schemas['LineageReport']>;
/** Subject of a lineage report. */
export type LineageSubject = Opened<Schemas['LineageSubject']>;
/**
 * Creator in a lineage report, with its own score (0–100), separate from the subject's. Without a confirmed score, the
 * score is null and its status `unavailable`.
 */
export type LineageCreator = Opened<Schemas['LineageCreator']>;
/** Edge between two canonical ids. It is a claim, neither an endorsement nor a permission. */
export type Relationship = Opened<Schemas['Relationship']>;

/** One page of your own listings, newest first. */
export type OwnAgentPage = Opened<Schemas['OwnAgentPage']>;
/** A linked account on another platform. Timestamps are ISO 8601 in UTC. */
export type LinkedAccount = Opened<Schemas['LinkedAccount']>;
/** All linked accounts of your account. */
export type LinkedAccountList = Opened<Schemas['LinkedAccountList']>;
/** Listing of another creator that names one of yours as its parent. */
export type ChildClaim = Opened<Schemas['ChildClaim']>;
/** One page of child claims, sorted by the child's id. */
export type ChildClaimPage = Opened<Schemas['ChildClaimPage']>;

/** Signed-in account and expiry of the session. Timestamps are ISO 8601 in UTC. */
export type ConsoleSession = Opened<Schemas['ConsoleSession']>;
/** Number of ended sessions. */
export type EndedSessions = Opened<Schemas['EndedSessions']>;
/** Plan, prices and balances, in the order in which balances pay. */
export type AccountBalance = Opened<Schemas['AccountBalance']>;
/** Plan, prices and balances of the account, and the limits of the access key that sent the request. */
export type KeyBalance = Opened<Schemas['KeyBalance']>;
/** One balance: `total - used - held = left`, in calls for the source `free`, in credits for the others. */
export type AccountBucket = Opened<Schemas['AccountBucket']>;
/** An access key without its secret. Timestamps are ISO 8601 in UTC. */
export type AccessKey = Opened<Schemas['AccessKey']>;
/** One page of keys, newest first, with the plan's limit of active keys. */
export type AccessKeyPage = Opened<Schemas['AccessKeyPage']>;
/** A new key with its secret, which cannot be shown again. */
export type CreatedAccessKey = Opened<Schemas['CreatedAccessKey']>;
/** Usage per day, operation, key and balance. */
export type UsageRow = Opened<Schemas['UsageRow']>;
/** One page of usage, latest day first. */
export type UsagePage = Opened<Schemas['UsagePage']>;
