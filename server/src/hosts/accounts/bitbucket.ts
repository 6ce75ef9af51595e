import { createAnswerParser, ID_SCHEMA, optionalSchema } from '../answer-parser.ts';
import { cleanTime } from '../clean-values.ts';
import type { AccountReader } from './account-reader.ts';

const readWorkspace = createAnswerParser({
  type: 'object',
  required: ['uuid', 'slug'],
  properties: {
    uuid: ID_SCHEMA,
    slug: { type: 'string', minLength: 1, maxLength: 100 },
    name: optionalSchema('string'),
    created_on: optionalSchema('string'),
  },
});

/**
 * Reads a Bitbucket workspace. It has members like an organisation, and nothing distinguishes a person's from a
 * team's. Its name is the only text shown, and only its owners can write it.
 */
export const bitbucketAccount: AccountReader = async (from, handle) => {
  const answer = await from.request(`/workspaces/${encodeURIComponent(handle)}`);
  const { uuid, slug, name, created_on } = readWorkspace(answer.body, from.host);
  return {
    hostAccountId: String(uuid),
    createdAt: cleanTime(created_on),
    handle: slug,
    isOrganisation: true,
    evidenceUrl: `https://${from.host}/${encodeURIComponent(slug)}`,
    facts: null,
    texts: [name],
    website: null,
    secondPlace: null,
  };
};
