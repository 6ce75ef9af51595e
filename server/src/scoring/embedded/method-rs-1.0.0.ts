/**
 * Weights and constants of method rs-1.0.0. Any change requires a new version in a new file. Ages and half-lives are
 * in days, trust and caps in points of 100.
 */
export const RS_1_0_0 = {
  version: 'rs-1.0.0',
  /** Prior belief before any observation: mean 0.35, as strong as five units of evidence. */
  prior: { strength: 5, mean: 0.35 },
  /** Half-life of the evidence of an observation, in days. It affects confidence and the lower bound, not trust. */
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
    /** Cap for an account about which its platform warns. */
    scam_flag: { limit: 10 },
    /** Cap for an audience that grows by more than this share within a day, because it may be bought or stolen. */
    audience_spike: { limit: 45, aboveGrowth: 0.5 },
    young_account: { limit: 60, underDays: 90 },
  },
  /** Weight of each kind of account in the share of known accounts of a creator. */
  provedAccounts: { repoHost: 0.4, nodePackages: 0.2, pythonPackages: 0.2, professionalNetwork: 0.2 },
  repository: {
    /**
     * Credibility of the counts that a repository itself shows. It grows with the repository's age; 0.5 if the age is
     * unknown.
     */
    history: { halfLife: 180, unknownAge: 0.5 },
    /** Credible stars are at most this number × (forks + 1). */
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
      /**
       * Minimum value for finished projects, which may stay unchanged: licensed, few open issues, not archived, at
       * least a year old.
       */
      finished: { value: 0.7, openIssuesUnder: 15, fromDays: 365 },
    },
    /**
     * `noneOpen` is the value of a repository without open issues. It is lower than the value of a few open issues,
     * because the tracker may be unused or emptied.
     */
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
    /**
     * Evidence is the sum of the listings' confidence, up to `mostEvidence`. The mean includes `unseen` further listings
     * with the mean of the prior, so that few listings do not give an extreme value.
     */
    portfolio: { weight: 30, mostEvidence: 6, unseen: 2 },
    graph_equity: { weight: 15, evidence: 3 },
  },
  /** Signals of social and messaging accounts. */
  account: {
    /**
     * Credibility of the counts that a profile itself shows. It grows with the account's age; 0.5 if the age is
     * unknown.
     */
    history: { halfLife: 180, unknownAge: 0.5 },
    verified_mark: { weight: 20, evidence: { marked: 3, unmarked: 1 } },
    account_age: {
      weight: 20,
      evidence: 3,
      halfLife: 730,
      /** An account counts less in its first year: young accounts are cheap to create, and older ones cheap to buy. */
      steps: [
        { underDays: 90, factor: 0.25 },
        { underDays: 365, factor: 0.75 },
      ],
    },
    audience: { weight: 10, evidence: 3, saturation: 100_000 },
    /** Reactions (social) or views (messaging) per post, as a share of the audience, that give the full value. */
    engagement: { weight: 15, evidence: 3, target: { social_account: 0.02, messaging_account: 0.1 } },
    recency: { weight: 10, evidence: 2, halfLife: 60 },
    cross_link: { weight: 25, evidence: { base: 1, share: 3 }, value: { both: 1, one: 0.5, none: 0 } },
  },
  /**
   * Parameters of EigenTrust on the graph of creators who build on each other's work.
   * - `restart`: the share that returns to pre-trusted creators in each round.
   * - `tolerance` and `rounds`: the limits that end the iteration.
   * - `trustedFromDays`: a creator is pre-trusted if its proved repository host account is at least this old and it has
   *   also proved an npm, PyPI or professional network account.
   */
  creatorGraph: { restart: 0.2, tolerance: 1e-9, rounds: 100, trustedFromDays: 365 },
  lineage: {
    perGeneration: 0.85,
    unacknowledged: 0.5,
    generations: 64,
    /** Number of fully trusted foreign descendants that give a creator full equity. */
    equitySaturation: 50,
  },
} as const;
