/**
 * Every weight and constant of method rs-1.0.0, carried by its version: a change of any of them is a new version in a
 * file of its own. Ages and half-lives are in days, trust and caps in points of 100.
 */
export const METHOD = {
  version: 'rs-1.0.0',
  /** What is believed of a subject before anything is observed: mean 0.35, worth five units of evidence. */
  prior: { strength: 5, mean: 0.35 },
  /** Our own observations fade at this rate; it touches confidence only. */
  observationHalfLife: 90,
  /** One-sided 95% quantile of the normal distribution. */
  lowerBoundZ: 1.645,
  tiers: { high: 50, medium: 30 },
  coverage: { complete: 0.8, partial: 0.15 },
  validForDays: 7,
  caps: {
    archived: { limit: 40 },
    deprecated: { limit: 40 },
    no_license: { limit: 70 },
    young_repository: { limit: 60, underDays: 90 },
    /** The platform itself warns of the account. */
    scam_flag: { limit: 10 },
    /** More growth of the audience in one day than this share of it is bought or stolen until shown otherwise. */
    audience_spike: { limit: 45, aboveGrowth: 0.5 },
    young_account: { limit: 60, underDays: 90 },
  },
  /** What each proved account adds to a creator's identity. */
  provedAccounts: { repoHost: 0.4, nodePackages: 0.2, pythonPackages: 0.2, professionalNetwork: 0.2 },
  repository: {
    /** How far a repository's own counts can be believed: grows with its age, half when the age is unknown. */
    history: { halfLife: 180, unknownAge: 0.5 },
    /** Stars beyond this many per fork (and one) are not believed. */
    starsPerFork: 200,
    verified_listing: { weight: 10, evidence: { verified: 3, unverified: 1 } },
    creator_accounts: { weight: 15, evidence: { base: 1, share: 3 } },
    creator_age: {
      weight: 10,
      evidence: { mass: 3, halfLife: 180 },
      halfLife: 365,
      young: { underDays: 90, factor: 0.5 },
    },
    freshness: {
      weight: 20,
      evidence: 4,
      halfLife: 180,
      /** A finished project need not change: licensed, few open issues, not archived, a year old. */
      finished: { value: 0.7, openIssuesUnder: 15, fromDays: 365 },
    },
    /** No open issue may mean an emptied or unused tracker, so it is worth less than one kept in order. */
    issue_load: { weight: 5, evidence: 2, noneOpen: 0.7, base: 5, perStar: 0.05, perFork: 0.25 },
    stars: { weight: 12, evidence: 4, saturation: 10_000, unknownForks: 0.5 },
    downloads: { saturation: 50_000, weeksPerMonth: 30.4 / 7 },
    forks: { weight: 8, evidence: 2, saturation: 2_000 },
    license: { weight: 6, evidence: 2, osi: 1, other: 0.6, none: 0 },
    metadata: { weight: 4, evidence: 1 },
    lineage: { weight: 10, evidence: 2 },
  },
  creator: {
    verified_accounts: { weight: 35, evidence: { base: 1, share: 5 } },
    account_age: {
      weight: 20,
      evidence: { mass: 4, halfLife: 180 },
      halfLife: 730,
      young: { underDays: 90, factor: 0.5 },
    },
    /** The listings' own confidence is the evidence; the mean of the prior stands in for two unseen ones. */
    portfolio: { weight: 30, mostEvidence: 6, unseen: 2 },
    graph_equity: { weight: 15, evidence: 3 },
  },
  /** Social and messaging accounts. */
  account: {
    /** How far a profile's own counts can be believed: grows with the account's age, half when the age is unknown. */
    history: { halfLife: 180, unknownAge: 0.5 },
    verified_mark: { weight: 20, evidence: { marked: 3, unmarked: 1 } },
    account_age: {
      weight: 20,
      evidence: 3,
      halfLife: 730,
      /** Young accounts are cheap to make, old ones cheap to buy: the first year counts for less. */
      steps: [
        { underDays: 90, factor: 0.25 },
        { underDays: 365, factor: 0.75 },
      ],
    },
    audience: { weight: 10, evidence: 3, saturation: 100_000 },
    /** Reactions (social) or views (messaging) of a post, as the share of the audience that is all one can ask. */
    engagement: { weight: 15, evidence: 3, target: { social_account: 0.02, messaging_account: 0.1 } },
    recency: { weight: 10, evidence: 2, halfLife: 60 },
    cross_link: { weight: 25, evidence: { base: 1, share: 3 }, value: { both: 1, one: 0.5, none: 0 } },
  },
  /** EigenTrust over "builds on the work of": how much of each round goes back to those trusted beforehand, and its end. */
  /** Trusted beforehand is whose repository host account is this old, with one more proved account beside it. */
  creatorGraph: { restart: 0.2, tolerance: 1e-9, rounds: 100, trustedFromDays: 365 },
  lineage: {
    perGeneration: 0.85,
    unacknowledged: 0.5,
    generations: 64,
    /** A creator whose foreign descendants together are worth this many fully trusted ones has full equity. */
    equitySaturation: 50,
  },
} as const;

/** Name under which the embedded backend signs its scores. */
export const EMBEDDED_SOURCE = 'embedded';
