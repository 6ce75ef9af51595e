import { answerReader, optional } from '../answer-reader.ts';
import { moment } from '../clean-values.ts';
import { HostFailure } from '../host-failure.ts';
import { isSameHandle, requireSameAccount } from '../same-account.ts';
import {
  type AccountReader,
  type AskedHost,
  CODE_FILE,
  codeRepositories,
  inFiles,
  type Profile,
} from './account-reader.ts';

const user = {
  type: 'object',
  required: ['id', 'username'],
  properties: {
    id: { type: 'integer', minimum: 0 },
    username: { type: 'string', minLength: 1, maxLength: 255 },
    name: optional('string'),
    created_at: optional('string'),
    bio: optional('string'),
    website_url: optional('string'),
    organization: optional('string'),
    job_title: optional('string'),
  },
} as const;
const readUsers = answerReader({ type: 'array', items: user });
const readUser = answerReader(user);
type User = ReturnType<typeof readUser>;

const group = {
  type: 'object',
  required: ['id', 'full_path'],
  properties: {
    id: { type: 'integer', minimum: 0 },
    full_path: { type: 'string', minLength: 1, maxLength: 255 },
    created_at: optional('string'),
    description: optional('string'),
  },
} as const;
const readGroups = answerReader({ type: 'array', items: group });
const readGroup = answerReader(group);

/** GitLab's user of that name, else its group: both own projects, and share no numbers. */
export const gitlabAccount: AccountReader = async (from, handle) =>
  (await readUserProfile(from, handle)) ?? (await readGroupProfile(from, handle));

async function readUserProfile(from: AskedHost, handle: string): Promise<Profile | null> {
  const list = await from.ask(`/users?username=${encodeURIComponent(handle)}`);
  const found = readUsers(list.body, from.host).find(({ username }) => isSameHandle(username, handle));
  if (found === undefined) return null;
  const full = readUser((await from.ask(`/users/${found.id}`)).body, from.host);
  const named = ({ id, username }: User) => ({ hostAccountId: String(id), handle: username });
  requireSameAccount(named(found), named(full), from.host);
  const file = encodeURIComponent(CODE_FILE);
  const files = codeRepositories(full.username).map((repository) => {
    const project = encodeURIComponent(`${full.username}/${repository}`);
    return `/projects/${project}/repository/files/${file}/raw?ref=HEAD`;
  });
  return {
    ...named(full),
    ...shared(from, full.username, full.created_at),
    isOrganisation: false,
    texts: [full.name, full.bio, full.website_url, full.organization, full.job_title],
    elsewhere: inFiles(from, files, 'text/plain'),
  };
}

/** A group has no field for a website of its own. */
async function readGroupProfile(from: AskedHost, handle: string): Promise<Profile> {
  const name = IS_ID.test(handle) ? await findGroupId(from, handle) : encodeURIComponent(handle);
  const group = readGroup((await from.ask(`/groups/${name}?with_projects=false`)).body, from.host);
  return {
    hostAccountId: `group-${group.id}`,
    handle: group.full_path,
    ...shared(from, group.full_path, group.created_at),
    isOrganisation: true,
    texts: [group.description],
    elsewhere: null,
  };
}

/** What GitLab reads as an id in the place of a group's path. */
const IS_ID = /^-?\d+$/;

/** A path that looks like an id leads to the group that has this id; the one that has the path is searched for. */
async function findGroupId(from: AskedHost, path: string): Promise<number> {
  const query = `search=${encodeURIComponent(path)}&top_level_only=true&per_page=100`;
  const groups = readGroups((await from.ask(`/groups?${query}`)).body, from.host);
  const found = groups.find(({ full_path }) => isSameHandle(full_path, path));
  if (found) return found.id;
  throw new HostFailure('not_found', `${from.host} has nothing with that name.`);
}

function shared(from: AskedHost, handle: string, createdAt: string | null | undefined) {
  const evidenceUrl = `https://${from.host}/${encodeURIComponent(handle)}`;
  return { createdAt: moment(createdAt), evidenceUrl, website: null, facts: null };
}
