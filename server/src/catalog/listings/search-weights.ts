/**
 * All weights of the search, in one place. The page `/method` explains them. `npm run bench -- search` measures the
 * ranking with labelled queries.
 */
export const SEARCH_WEIGHTS = {
  /**
   * Fit of a word, by where a listing has it: in its name, its tags or category, its description, or only in the
   * creator's name, in artifacts inside the repository, or as the beginning of a longer word.
   */
  field: { name: 1, tag: 0.85, text: 0.75, weak: 0.25 },
  /** Factor for a synonym instead of the word itself. */
  synonym: 0.8,
  /**
   * Maximum rarity of a word: the logarithm of 1 + the number of all listings / the number of listings with the word.
   */
  maxRarity: 8,
  /**
   * Minimum share of a word's rarity that counts as its weight. It applies to a word that no listing has in its name or
   * tags.
   */
  minTopic: 0.2,
  /**
   * Exponent of the topic of a word: of the listings that have the word, the share that have it in their name or tags.
   */
  topicPower: 0.7,
  /**
   * Factor for the weight of a word that has synonyms, alone or with its neighbours. Such a word is often the subject; a rare
   * word without synonyms may say nothing about it.
   */
  subject: 2,
  /** Weight of a word that no listing has. */
  unknown: 0.1,
  /** Minimum share of the total weight of the searched words that a listing must match. */
  need: 0.5,
  /**
   * Smaller values of `need`, tried in this order if fewer than `expected` matches are expected, or in a small
   * directory fewer than `expectedShare` of all listings. Without them, a rare word of the search, such as the name of
   * a place, would exclude all listings that do what is searched for.
   */
  lesserNeeds: { needs: [0.45, 0.4, 0.35, 0.3, 0.25, 0.2, 0.15, 0.1], expected: 10, expectedShare: 0.001 },
  /**
   * Maximum number of words to which `need` applies: the heaviest ones. More words would have too many combinations.
   */
  needed: 5,
  /** Minimum share of the weight of a listing's name and tags that another listing must match to count as similar. */
  needOfSimilar: 0.15,
  /** Factor for a listing with all searched words. */
  allWords: 1.05,
  /**
   * Factor for the number of words that a listing has in all its texts: (`words` / (`words` + number)) ^ `power`. A
   * listing with many words has some of the searched ones by chance. Does not apply if its name is the search text.
   */
  length: { words: 50, power: 0.1 },
  /** Exponent of a listing's fit: the weighted mean of the fits of the searched words. */
  fitPower: 2,
  /**
   * Constant in the factor for how widely a listing is relied on: `base` + popularity + `trust` × trust × confidence.
   */
  base: 0.25,
  /**
   * Weight of trust × confidence (0 to 1) in the factor that `base` describes; popularity (0 to 1.05) has the weight 1.
   */
  trust: 0.1,
  /** Factor for a listing whose name equals the search text. */
  named: 1.6,
  /**
   * Factors for a listing that converts in the direction of the search text (`pdf to markdown`), or in the opposite.
   */
  direction: { same: 1.15, other: 0.5 },
  /**
   * Factor for how near one another a listing has the words in its name, description or tags: `least` + (1 - `least`) ×
   * share ^ `power`. The share is the largest part of the words' total weight within `words` adjacent words, or as many as
   * the search has. Collections of hundreds of skills have most words somewhere. The factor is 1 for a listing whose name
   * is the search text.
   */
  near: { words: 5, least: 0.4, power: 2 },
  /** Factor for listings under old names, copies, and listings with a warning. */
  displaced: 0.3,
} as const;

/** Base-10 logarithm of the number of stars that count as a popularity of 1,000. */
const MOST_STARS_LOG = 5.3;

/**
 * SQL for the popularity of listing `l`, from 0 to 1,050: the logarithm of its credible stars and the number of lists
 * that name it. Each fork vouches for up to 100 stars, because bought stars bring no forks. Where stars are unknown,
 * downloads of a confirmed package and lists take their place, with at most 350 (400 with the number of lists).
 */
export const POPULARITY = `round(1000 * (CASE
  WHEN l.stars IS NULL THEN least(0.35, 0.08 * (lists_of(l.imported) - 1) + log(1 + coalesce(CASE WHEN l.npm_confirmed THEN l.npm_monthly_downloads END, 0)::float8) / 12)
  ELSE least(1, log(1 + least(l.stars, 100 * coalesce(l.forks, l.stars) + 100)::float8) / ${MOST_STARS_LOG}) END
  + 0.0125 * least(4, lists_of(l.imported) - 1)))::smallint`;
