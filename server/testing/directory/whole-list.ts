import type { ListInput } from '../../src/directory/lists/list-agents.ts';

/** Input for the first hundred listings by trust. Tests change single members. */
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
