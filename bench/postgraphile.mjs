import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startChild } from './child.mjs';
import { tell } from './progress.mjs';

const INSTALL = fileURLToPath(new URL('../.ci/install', import.meta.url));
const SERVE = fileURLToPath(new URL('./against/serve.mjs', import.meta.url));
/** Fields that the detail of an agent shows. */
const FIELDS = [
  ...[
    'agentId',
    'type',
    'name',
    'description',
    'category',
    'tags',
    'repositoryUrl',
    'stars',
    'forks',
    'openIssues',
  ],
  ...['lastCommitAt', 'verified', 'listedAt', 'updatedAt'],
];

/** GraphQL selection of the score, which is in another table than the listing. */
const RANK = 'listingRankBySubjectId { trust confidence tier scoreVersion }';

/**
 * Starts PostGraphile 5 on the same database, and installs it first if necessary; `requestFor` builds the request that
 * reads one agent by its id.
 */
export async function startPostGraphile(databaseUrl, sessions) {
  tell('installing PostGraphile, where it is not yet');
  await promisify(execFile)(INSTALL, ['bench/against']);
  const env = { ...process.env, NODE_ENV: 'production', GRAPHILE_ENV: 'production' };
  const child = startChild(SERVE, { env, execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const { origin } = await child.tell({ databaseUrl, sessions });
  const query = `query ($id: String!) { listingByAgentId(agentId: $id) {
    ${FIELDS.join(' ')} ${RANK} creatorByCreatorId { handle displayName verified } } }`;
  const requestFor = (id) => ({
    method: 'POST',
    path: '/graphql',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ query, variables: { id } }),
  });
  await ask(origin, requestFor('AGT-00000000'));
  return { origin, requestFor, stop: child.stop };
}

async function ask(origin, { headers, body }) {
  const answer = await fetch(`${origin}/graphql`, { method: 'POST', headers, body });
  const { data, errors } = await answer.json();
  if (errors) throw new Error(`PostGraphile refuses the bench's query: ${JSON.stringify(errors)}`);
  return data;
}
