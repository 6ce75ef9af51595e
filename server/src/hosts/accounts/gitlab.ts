import { createAnswerParser, optionalSchema } from '../answer-parser.ts';
import { cleanTime } from '../clean-values.ts';
import { HostFailure, isSameHandle, requireSameAccount } from '../host-account.ts';
import {
  type AccountReader,
  CODE_FILE,
  codeInFiles,
  codeRepositories,
  type HostApiClient,
  type Profile,
} from './account-reader.ts';

const user = {
  type: 'object',
  required: ['id', 'username'],
  properties: {
    id: { type: 'integer', minimum: 0 },
    username: { type: 'string', minLength: 1, maxLength: 255 },
    name: optionalSchema('string'),
    created_at: optionalSchema('string'),
    bio: optionalSchema('string'),
    website_url: optionalSchema('string'),
    organization: optionalSchema('string'),
    job_title: optionalSchema('string'),
  },
} as const;
const readUsers = createAnswerParser({ type: 'array', items: user });
const readUser = createAnswerParser(user);
type User = ReturnType<typeof readUser>;

const group = {
  type: 'object',
  required: ['id', 'full_path'],
  properties: {
    id: { type: 'integer', minimum: 0 },
    full_path: { type: 'string', minLength: 1, maxLength: 255 },
    created_at: optionalSchema('string'),
    description: optionalSchema('string'),
  },
} as const;
const readGroups = createAnswerParser({ type: 'array', items: group });
const readGroup = createAnswerParser(group);

/** Reads GitLab's user with this name, otherwise its group. Both own projects, and their ids are separate. */
export const gitlabAccount: AccountReader = async (from, handle) =>
  (await readUserProfile(from, handle)) ?? (await readGroupProfile(from, handle));

async function readUserProfile(from: HostApiClient, handle: string): Promise<Profile | null> {
  const list = await from.request(`/users?username=${encodeURIComponent(handle)}`);
  const found = readUsers(list.body, from.host).find(({ username }) => isSameHandle(username, handle));
  if (found === undefined) return null;
  const full = readUser((await from.request(`/users/${found.id}`)).body, from.host);
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
    secondPlace: codeInFiles(from, files, 'text/plain'),
  };
}

/** Reads a group, which has no website field. */
async function readGroupProfile(from: HostApiClient, handle: string): Promise<Profile> {
  const name = IS_ID.test(handle) ? await findGroupId(from, handle) : encodeURIComponent(handle);
  const group = readGroup((await from.request(`/groups/${name}?with_projects=false`)).body, from.host);
  return {
    hostAccountId: `group-${group.id}`,
    handle: group.full_path,
    ...shared(from, group.full_path, group.created_at),
    isOrganisation: true,
    texts: [group.description],
    secondPlace: null,
  };
}

/** Group paths that GitLab would treat as an id. */
const IS_ID = /^-?\d+$/;

/** Finds the id of a group with a numeric name by search, because GitLab treats a numeric path as an id. */
async function findGroupId(from: HostApiClient, path: string): Promise<number> {
  const query = `search=${encodeURIComponent(path)}&top_level_only=true&per_page=100`;
  const groups = readGroups((await from.request(`/groups?${query}`)).body, from.host);
  const found = groups.find(({ full_path }) => isSameHandle(full_path, path));
  if (found) return found.id;
  throw new HostFailure('not_found', `${from.host} has no entry with that name.`);
}

function shared(from: HostApiClient, handle: string, createdAt: string | null | undefined) {
  const evidenceUrl = `https://${from.host}/${encodeURIComponent(handle)}`;
  return { createdAt: cleanTime(createdAt), evidenceUrl, website: null, facts: null };
}
