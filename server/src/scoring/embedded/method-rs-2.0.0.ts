import { RS_1_0_0 } from './method-rs-1.0.0.ts';

const { freshness, issue_load, stars, downloads, forks, license, creator_age } = RS_1_0_0.repository;

/** Half-life, in days, of the evidence of facts whose value hardly ever falls or changes. */
const LASTING = 365;

/**
 * Weights and constants of method rs-2.0.0; `server/docs/method-rs-2.0.0.md` explains them. Any change requires a new
 * version in a new file. Ages and half-lives are in days, trust and caps in points of 100. Creators and accounts are
 * scored as by rs-1.0.0, except for `neverLowers` of creators.
 */
export const RS_2_0_0 = {
  ...RS_1_0_0,
  version: 'rs-2.0.0',
  caps: {
    ...RS_1_0_0.caps,
    /**
     * Cap for a package whose published version has malware. The cap also applies if the published version was not read
     * and an advisory covers every version.
     */
    malware: { limit: 5 },
  },
  creator: {
    ...RS_1_0_0.creator,
    /** `neverLowers`: a value that would lower trust is raised until trust is the same as without the signal. */
    verified_accounts: { ...RS_1_0_0.creator.verified_accounts, neverLowers: true },
  },
  /**
   * Signals of agents and skills. The evidence of a signal is `evidencePerWeight` × `weight` × certainty. The certainty
   * of a signal with value x is 1 for `full`; (1 + x) / 2 for `rising`, because a high value says more than a low one;
   * and for `share` the share of the possible facts that is known.
   */
  repository: {
    frame: {
      meanBy: 'evidence',
      /**
       * Half-life of the evidence of an observation, in days, for trust, confidence and lower bound. Signals of facts
       * whose value hardly ever falls or changes have a longer `observationHalfLife` of their own.
       */
      observationHalfLife: 180,
      /**
       * Minimum coverage (observed share of the signals' weight) of a complete and of a partial score. The latter is so low
       * that the metadata of a listing suffices, so that every listing has a score.
       */
      coverage: { complete: 0.8, partial: 0.02 },
    },
    /** Units of evidence per point of a signal's weight, at certainty 1. */
    evidencePerWeight: 0.3,
    /** Credible stars are at most `starsPerFork` × (forks + 1), and at most `starsPerDay` × (age in days + 1). */
    starsPerFork: 200,
    starsPerDay: 20,

    verified_listing: { weight: 6, certainty: 'full' },
    /** Known accounts never lower trust: the value is 1, and the certainty is the weighted share of the known kinds. */
    creator_accounts: { weight: 7, certainty: 'share' },
    creator_age: {
      weight: 5,
      certainty: 'rising',
      halfLife: creator_age.halfLife,
      young: creator_age.young,
    },
    official_maker: { weight: 5, certainty: 'full' },
    package_confirmed: { weight: 4, certainty: 'full' },
    vulnerabilities: {
      weight: 10,
      certainty: 'full',
      /** Value by the worst open vulnerability; `unrated` has no known severity. */
      severity: { critical: 0.1, high: 0.3, medium: 0.6, low: 0.8, unrated: 0.5 },
      /** Factor if no version without the vulnerability has been published. */
      withoutFix: 0.5,
    },
    provenance: { weight: 5, certainty: 'rising', value: { attested: 1, none: 0.4, lost: 0 } },
    freshness: {
      weight: 11,
      certainty: 'full',
      halfLife: freshness.halfLife,
      finished: freshness.finished,
      /**
       * Age of the repository, in days, at which a commit counts half. In a newer repository it counts less, because a
       * new repository with a fresh commit is cheap to create.
       */
      establishedHalfLife: 60,
      /**
       * Certainty of a list's statement that the repository is archived, deprecated or no longer maintained; its value is
       * 0. The statement counts if it is more evidence than the last commit, which may be unknown or read long ago.
       */
      statedStatus: { certainty: 0.5 },
    },
    repository_age: { weight: 4, certainty: 'rising', halfLife: 365 },
    releases: { weight: 3, certainty: 'rising', saturation: 20, halfLife: 365 },
    contributors: { weight: 3, certainty: 'rising', saturation: 50, observationHalfLife: LASTING },
    issue_load: {
      weight: 3,
      certainty: 'full',
      noneOpen: issue_load.noneOpen,
      base: issue_load.base,
      perStar: issue_load.perStar,
      perFork: issue_load.perFork,
    },
    scorecard: { weight: 4, certainty: 'rising' },
    security_policy: { weight: 2, certainty: 'rising' },
    stars: { weight: 10, certainty: 'full', saturation: stars.saturation, observationHalfLife: LASTING },
    /** Downloads are used if the stars are unknown. Downloads are cheap to inflate, so their certainty is lower. */
    downloads: { certainty: 0.5, saturation: downloads.saturation, weeksPerMonth: downloads.weeksPerMonth },
    forks: { weight: 4, certainty: 'rising', saturation: forks.saturation, observationHalfLife: LASTING },
    /**
     * Lists never lower trust, because our sources cover some topics better than others. The value is therefore always
     * 1.
     */
    lists: {
      weight: 4,
      certainty: 'share',
      /**
       * Number of further lists, after the first, that give full evidence. The first list gives none, because nearly
       * every listing has one.
       */
      furtherLists: 9,
      /** Groups of lists that copy one another; each group counts as one list. */
      copies: [
        // Lists that consist of entries of other lists and are therefore under share-alike licences.
        [
          'tolkonepiu/best-of-mcp-servers',
          'RyanAlberts/best-of-Agent-Harnesses',
          'lukasmasuch/best-of-ml-python',
          'adrianwedd/Agentic-Index',
        ],
        // The official MCP registry and its copies.
        ['modelcontextprotocol/registry', 'joelverhagen/mcp-insights', 'TeamSparkAI/mcp-registry'],
        ['pathintegral-institute/mcpm.sh', 'Chat2AnyLLM/awesome-mcp-servers'],
        ['majiayu000/claude-skill-registry', 'majiayu000/claude-skill-registry-core'],
      ],
    },
    license: {
      weight: 4,
      certainty: 'full',
      osi: license.osi,
      other: license.other,
      none: license.none,
      observationHalfLife: LASTING,
      /** Factor of the certainty if only a list states the licence, because a list gives no date for it. */
      statedByList: 0.5,
    },
    /** The certainty is the share of the metadata's parts that are known. */
    metadata: { weight: 2, certainty: 'share' },
    /** The certainty is the parent's confidence. */
    lineage: { weight: 4, certainty: 'share' },
  },
} as const;
