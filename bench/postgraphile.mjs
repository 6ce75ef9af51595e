import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startChild } from './child.mjs';
import { tell } from './progress.mjs';

const INSTALL = fileURLToPath(new URL('../.ci/install', import.meta.url));
const SERVE = fileURLToPath(new URL('./against/serve.mjs', import.meta.url));
/** What the detail of an agent shows; a field that the table lacks is left out. */
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
  ...['lastCommitAt', 'verified', 'trust', 'confidence', 'tier', 'scoreVersion', 'listedAt', 'updatedAt'],
];

/** Starts PostGraphile 5 on the same database, installing it where it is not; `requestFor` reads one agent by its id. */
export async function startPostGraphile(databaseUrl, sessions) {
  tell('installing PostGraphile, where it is not yet');
  await promisify(execFile)(INSTALL, ['bench/against']);
  const env = { ...process.env, NODE_ENV: 'production', GRAPHILE_ENV: 'production' };
  const child = startChild(SERVE, { env, execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const { origin } = await child.tell({ databaseUrl, sessions });
  const fields = await fieldsOf(origin);
  const query = `query ($id: String!) { listingByAgentId(agentId: $id) {
    ${fields.join(' ')} creatorByCreatorId { handle displayName verified } } }`;
  const requestFor = (id) => ({
    method: 'POST',
    path: '/graphql',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ query, variables: { id } }),
  });
  return { origin, requestFor, stop: child.stop };
}

async function fieldsOf(origin) {
  const body = JSON.stringify({ query: '{ __type(name: "Listing") { fields { name } } }' });
  const { __type } = await ask(origin, { headers: { 'Content-Type': 'application/json' }, body });
  const there = new Set(__type.fields.map(({ name }) => name));
  return FIELDS.filter((name) => there.has(name));
}

async function ask(origin, { headers, body }) {
  const answer = await fetch(`${origin}/graphql`, { method: 'POST', headers, body });
  const { data, errors } = await answer.json();
  if (errors) throw new Error(`PostGraphile refuses the bench's query: ${JSON.stringify(errors)}`);
  return data;
}
