import { answerReader, ID, optional } from '../answer-reader.ts';
import { cleanText, moment } from '../clean-values.ts';
import { type AccountReader, CODE_FILE, codeRepositories, fileCarries, passOver } from './account-reader.ts';

const readWorkspace = answerReader<{ uuid: string; slug: string; created_on?: string | null }>({
  type: 'object',
  required: ['uuid', 'slug'],
  properties: {
    uuid: ID,
    slug: { type: 'string', minLength: 1, maxLength: 100 },
    created_on: optional('string'),
  },
});

const readCommits = answerReader<{ values: { hash: string }[] }>({
  type: 'object',
  required: ['values'],
  properties: {
    values: {
      type: 'array',
      items: {
        type: 'object',
        required: ['hash'],
        properties: { hash: { type: 'string', pattern: '^[0-9a-f]{7,64}$' } },
      },
    },
  },
});

/** Bitbucket's workspace. It shows no profile text, and files only at a commit, so that is asked for first. */
export const bitbucketAccount: AccountReader = async (from, handle, code) => {
  const name = encodeURIComponent(handle);
  const workspace = readWorkspace((await from.ask(`/workspaces/${name}`)).body, from.host);
  const files: string[] = [];
  for (const repository of code === null ? [] : codeRepositories(handle)) {
    const place = `/repositories/${name}/${encodeURIComponent(repository.toLowerCase())}`;
    const commits = await from.ask(`${place}/commits?pagelen=1`).catch(passOver);
    const hash = commits && readCommits(commits.body, from.host).values[0]?.hash;
    if (hash) files.push(`${place}/src/${hash}/${CODE_FILE}`);
  }
  return {
    hostAccountId: workspace.uuid,
    createdAt: moment(workspace.created_on),
    handle: cleanText(workspace.slug, 100) ?? handle,
    carriesCode: await fileCarries(from, code, files, 'text/plain'),
    evidenceUrl: `https://${from.host}/${name}`,
    facts: null,
  };
};
