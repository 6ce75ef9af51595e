import { type AgentRegistration, ConflictError } from '@trust-directory/sdk';
import type { Example } from './example.ts';

type Category = AgentRegistration['category'];

/**
 * Registers the repository of a pipeline. A repository that is already listed is not an error, so the program may run
 * at every release. Arguments: repository (default: the one that GitHub's runner names), name, description, category.
 * The key needs the scope `agents:register`; store it as a secret of the pipeline.
 */
export const registerFromCi: Example = async (client, print, ...args) => {
  const { GITHUB_SERVER_URL: host = 'https://github.com', GITHUB_REPOSITORY: repository } = process.env;
  const [repoHostUrl = repository && `${host}/${repository}`, name, description, category = 'other'] = args;
  if (!repoHostUrl) throw new Error('Name the repository, or run within a pipeline that does.');
  const ownName = repoHostUrl.split('/').at(-1) ?? repoHostUrl;
  try {
    const { id, listingUrl } = await client.agents.register({
      repoHostUrl,
      name: name ?? ownName,
      description: description ?? `Agent of ${repoHostUrl}`,
      category: category as Category,
    });
    print(`Listed as ${id}: ${listingUrl}`);
  } catch (error) {
    if (!(error instanceof ConflictError) || error.code !== 'already_registered') throw error;
    print(`${repoHostUrl} is listed already.`);
  }
};
