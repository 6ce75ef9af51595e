import { answerReader, ID, optional } from '../answer-reader.ts';
import { cleanText, moment } from '../clean-values.ts';
import { HostFailure } from '../host-failure.ts';
import {
  type AccountReader,
  type AskedHost,
  CODE_FILE,
  carries,
  codeRepositories,
  fileCarries,
} from './account-reader.ts';

interface User {
  id: number | string;
  username: string;
  name?: string | null;
  created_at?: string | null;
  bio?: string | null;
  website_url?: string | null;
  organization?: string | null;
  job_title?: string | null;
}

const user = {
  type: 'object',
  required: ['id', 'username'],
  properties: {
    id: ID,
    username: { type: 'string', minLength: 1, maxLength: 255 },
    name: optional('string'),
    created_at: optional('string'),
    bio: optional('string'),
    website_url: optional('string'),
    organization: optional('string'),
    job_title: optional('string'),
  },
};
const readUsers = answerReader<User[]>({ type: 'array', items: user });
const readUser = answerReader<User>(user);

interface Group {
  id: number | string;
  full_path: string;
  created_at?: string | null;
  description?: string | null;
}

const readGroup = answerReader<Group>({
  type: 'object',
  required: ['id', 'full_path'],
  properties: {
    id: ID,
    full_path: { type: 'string', minLength: 1, maxLength: 255 },
    created_at: optional('string'),
    description: optional('string'),
  },
});

interface Profile {
  readonly id: string;
  readonly handle: string;
  readonly createdAt: string | null;
  readonly texts: readonly (string | null | undefined)[];
}

/** GitLab's user of that name, else its group: both own projects, and share no numbers. */
export const gitlabAccount: AccountReader = async (from, handle, code) => {
  const profile = (await readUserProfile(from, handle)) ?? (await readGroupProfile(from, handle));
  const file = encodeURIComponent(CODE_FILE);
  const files = codeRepositories(handle).map((repository) => {
    const project = encodeURIComponent(`${handle}/${repository}`);
    return `/projects/${project}/repository/files/${file}/raw?ref=HEAD`;
  });
  return {
    hostAccountId: profile.id,
    createdAt: profile.createdAt,
    handle: cleanText(profile.handle, 255) ?? handle,
    carriesCode: carries(code, profile.texts) || (await fileCarries(from, code, files, 'text/plain')),
    evidenceUrl: `https://${from.host}/${encodeURIComponent(handle)}`,
    facts: null,
  };
};

async function readUserProfile(from: AskedHost, handle: string): Promise<Profile | null> {
  const list = await from.ask(`/users?username=${encodeURIComponent(handle)}`);
  const found = readUsers(list.body, from.host).find(
    ({ username }) => username.toLowerCase() === handle.toLowerCase(),
  );
  if (found === undefined) return null;
  const id = encodeURIComponent(String(found.id));
  const full = readUser((await from.ask(`/users/${id}`)).body, from.host);
  if (String(full.id) !== String(found.id)) {
    throw new HostFailure('unusable', `${from.host} answered with another account than was asked for.`);
  }
  const texts = [full.name, full.bio, full.website_url, full.organization, full.job_title];
  return { id: String(full.id), handle: full.username, createdAt: moment(full.created_at), texts };
}

async function readGroupProfile(from: AskedHost, handle: string): Promise<Profile> {
  const path = `/groups/${encodeURIComponent(handle)}?with_projects=false`;
  const group = readGroup((await from.ask(path)).body, from.host);
  const createdAt = moment(group.created_at);
  return { id: `group-${group.id}`, handle: group.full_path, createdAt, texts: [group.description] };
}
