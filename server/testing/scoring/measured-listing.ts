import type { RepositoryFacts } from '../../src/scoring/fact-types.ts';
import type { KnownListing, MeasuredMethod } from '../../src/scoring/validation/score-listing.ts';
import { NOW, repositoryFacts } from './golden-vectors.ts';

/** Creates a listing of a measurement, named by one list, with these facts. */
export function measuredListing(
  repository: string,
  facts: Partial<RepositoryFacts> = {},
  listing: Partial<KnownListing['listing']> = {},
): KnownListing {
  const id = `id of ${repository}`;
  return {
    listing: {
      id,
      kind: 'skill',
      host: 'github.com',
      repository,
      npmPackage: null,
      pypiPackage: null,
      starsKnown: facts.stars != null,
      lists: ['acme/list'],
      descriptionList: null,
      ...listing,
    },
    known: {
      subject: { id, type: 'skill', name: repository, repository },
      facts: repositoryFacts(facts),
      now: NOW,
    },
  };
}

/** Method whose trust is the number of stars, and whose confidence is 50; with unknown stars the status is `incomplete`. */
export const STARS_METHOD: MeasuredMethod = {
  version: 'stars',
  score({ facts, subject }) {
    const stars = 'stars' in facts ? facts.stars : null;
    return {
      subjectType: subject.type,
      trust: stars?.value ?? 0,
      confidence: 50,
      lowerBound: 0,
      tier: 'low',
      ownTrust: stars?.value ?? 0,
      ownConfidence: 50,
      status: stars === null ? 'incomplete' : 'partial',
      freshness: NOW.toISOString(),
      coverage: 0.5,
      methodVersion: 'stars',
      inputsHash: '',
      contributions: [],
      caps: [],
    };
  },
};
