import { answerReader, ID, optional } from '../answer-reader.ts';
import { moment } from '../clean-values.ts';
import type { AccountReader } from './account-reader.ts';

const readWorkspace = answerReader({
  type: 'object',
  required: ['uuid', 'slug'],
  properties: {
    uuid: ID,
    slug: { type: 'string', minLength: 1, maxLength: 100 },
    name: optional('string'),
    created_on: optional('string'),
  },
});

/**
 * Bitbucket's workspace, which has members as an organisation has: nothing tells one person's from a team's. Its name is
 * the only text that it shows, and its owners' alone.
 */
export const bitbucketAccount: AccountReader = async (from, handle) => {
  const answer = await from.ask(`/workspaces/${encodeURIComponent(handle)}`);
  const { uuid, slug, name, created_on } = readWorkspace(answer.body, from.host);
  return {
    hostAccountId: String(uuid),
    createdAt: moment(created_on),
    handle: slug,
    isOrganisation: true,
    evidenceUrl: `https://${from.host}/${encodeURIComponent(slug)}`,
    facts: null,
    texts: [name],
    website: null,
    elsewhere: null,
  };
};
