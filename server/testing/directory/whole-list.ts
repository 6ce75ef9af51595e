import type { ListInput } from '../../src/directory/lists/list-agents.ts';

/** The first hundred of everything, most trusted first: what a test changes one member of. */
export const WHOLE_LIST: ListInput = {
  q: null,
  verified: null,
  tier: null,
  category: null,
  sort: 'score_desc',
  limit: 100,
  offset: 0,
  cursor: null,
};
