import { HostFailure, isSameHandle } from '../host-account.ts';
import { createAnswerParser, optionalSchema } from '../untrusted-answers.ts';
import { type AccountReader, containsCode, type HostApiClient, ignoreNoContent } from './account-reader.ts';

const readProject = createAnswerParser({
  type: 'object',
  required: ['info'],
  properties: {
    info: {
      type: 'object',
      properties: {
        name: optionalSchema('string'),
        summary: optionalSchema('string'),
        description: optionalSchema('string'),
        keywords: optionalSchema('string'),
      },
    },
    ownership: {
      type: ['object', 'null'],
      properties: {
        roles: {
          type: ['array', 'null'],
          items: {
            type: 'object',
            required: ['role', 'user'],
            properties: { role: { type: 'string' }, user: { type: 'string' } },
          },
        },
        organization: {},
      },
    },
  },
});

const PROJECT_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?$/;
const MAX_PROJECTS = 10;

type Project = ReturnType<typeof readProject>;

/**
 * Reads a PyPI user through the projects in which the user has a role. PyPI does not show who uploaded a release, so
 * the code of a proof counts only in a project to which only the user can upload. The user name is the id.
 */
export const pypiAccount: AccountReader = async (from, handle) => {
  const user = handle.toLowerCase();
  const names = await projectsOf(from, user);
  if (names.length === 0) throw new HostFailure('not_found', `${from.host} lists no project of that user.`);
  return {
    hostAccountId: user,
    createdAt: null,
    handle: user,
    isOrganisation: false,
    evidenceUrl: `https://pypi.org/user/${encodeURIComponent(user)}/`,
    facts: null,
    texts: [],
    website: null,
    secondPlace: { place: 'package', carries: (code) => oneCarries(from, user, code, names) },
  };
};

/**
 * Lists a user's projects, which only PyPI's old XML-RPC API offers. Projects with `trust-directory` in their name
 * come first, because they were probably made for the proof.
 */
async function projectsOf(from: HostApiClient, user: string): Promise<string[]> {
  const body = `<?xml version="1.0"?><methodCall><methodName>user_packages</methodName><params><param><value><string>${user}</string></value></param></params></methodCall>`;
  const question = { method: 'POST', body, accept: 'text/xml', contentType: 'text/xml' } as const;
  const answer = await from.request('/pypi', question);
  if (!answer.body.includes('<methodResponse>') || answer.body.includes('<fault>')) {
    throw new HostFailure('unusable', `${from.host} gave an undocumented answer.`);
  }
  const pairs = answer.body.matchAll(
    /<string>[^<]*<\/string>\s*<\/value>\s*<value>\s*<string>([^<]*)<\/string>/g,
  );
  const names = [...pairs].map(([, name = '']) => name).filter((name) => PROJECT_NAME.test(name));
  const isForProof = (name: string) => name.toLowerCase().includes('trust-directory');
  return names.sort((a, b) => Number(isForProof(b)) - Number(isForProof(a)));
}

async function oneCarries(from: HostApiClient, user: string, code: string, names: readonly string[]) {
  for (const name of names.slice(0, MAX_PROJECTS)) {
    const answer = await from.request(`/pypi/${encodeURIComponent(name)}/json`).catch(ignoreNoContent);
    if (answer === null) continue;
    const project = readProject(answer.body, from.host);
    const { name: answered, summary, description, keywords } = project.info;
    const isAsked = normalized(answered ?? '') === normalized(name);
    if (isAsked && belongsTo(user, project) && containsCode(code, [summary, description, keywords]))
      return true;
  }
  return false;
}

/**
 * Returns true if the user is the only owner of the project. Members of an organisation can upload without a role in
 * the project, so the answer must say that there is no organisation.
 */
function belongsTo(user: string, { ownership }: Project): boolean {
  const roles = ownership?.roles ?? [];
  const isSoleOwner =
    roles.length > 0 && roles.every((each) => each.role === 'Owner' && isSameHandle(each.user, user));
  return isSoleOwner && ownership?.organization === null;
}

/** Normalises a project name as in PEP 503: `Trust_Directory` and `trust-directory` are the same project. */
function normalized(name: string): string {
  return name.replace(/[-_.]+/g, '-').toLowerCase();
}
