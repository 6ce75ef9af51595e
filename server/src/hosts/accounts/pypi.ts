import { answerReader, optional } from '../answer-reader.ts';
import { HostFailure } from '../host-failure.ts';
import { isSameHandle } from '../same-account.ts';
import { type AccountReader, type AskedHost, carries, passOver } from './account-reader.ts';

const readProject = answerReader({
  type: 'object',
  required: ['info'],
  properties: {
    info: {
      type: 'object',
      properties: {
        name: optional('string'),
        summary: optional('string'),
        description: optional('string'),
        keywords: optional('string'),
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
const LOOKED_AT = 10;

type Project = ReturnType<typeof readProject>;

/**
 * Reads a PyPI user by the projects that the index says it has a role in. PyPI does not name who uploaded a release, so
 * the code counts only in the text of a project that nobody else can upload to. The user's name is the id.
 */
export const pypiAccount: AccountReader = async (from, handle) => {
  const user = handle.toLowerCase();
  const names = await projectsOf(from, user);
  if (names.length === 0) throw new HostFailure('not_found', `${from.host} shows no project of that user.`);
  return {
    hostAccountId: user,
    createdAt: null,
    handle: user,
    isOrganisation: false,
    evidenceUrl: `https://pypi.org/user/${encodeURIComponent(user)}/`,
    facts: null,
    texts: [],
    website: null,
    elsewhere: { place: 'package', carries: (code) => oneCarries(from, user, code, names) },
  };
};

/** The only list of a user's projects that PyPI has is its older XML interface. A project made for the proof comes first. */
async function projectsOf(from: AskedHost, user: string): Promise<string[]> {
  const body = `<?xml version="1.0"?><methodCall><methodName>user_packages</methodName><params><param><value><string>${user}</string></value></param></params></methodCall>`;
  const question = { method: 'POST', body, accept: 'text/xml', contentType: 'text/xml' } as const;
  const answer = await from.ask('/pypi', question);
  if (!answer.body.includes('<methodResponse>') || answer.body.includes('<fault>')) {
    throw new HostFailure('unusable', `${from.host} answered in a form that it does not document.`);
  }
  const pairs = answer.body.matchAll(
    /<string>[^<]*<\/string>\s*<\/value>\s*<value>\s*<string>([^<]*)<\/string>/g,
  );
  const names = [...pairs].map(([, name = '']) => name).filter((name) => PROJECT_NAME.test(name));
  const isForProof = (name: string) => name.toLowerCase().includes('trust-directory');
  return names.sort((a, b) => Number(isForProof(b)) - Number(isForProof(a)));
}

async function oneCarries(from: AskedHost, user: string, code: string, names: readonly string[]) {
  for (const name of names.slice(0, LOOKED_AT)) {
    const answer = await from.ask(`/pypi/${encodeURIComponent(name)}/json`).catch(passOver);
    if (answer === null) continue;
    const project = readProject(answer.body, from.host);
    const { name: answered, summary, description, keywords } = project.info;
    const isAsked = normalized(answered ?? '') === normalized(name);
    if (isAsked && belongsTo(user, project) && carries(code, [summary, description, keywords])) return true;
  }
  return false;
}

/**
 * Returns true where the user alone owns the project. Members of an organisation upload to its projects without a role
 * of their own there, so an answer must say that there is no organisation.
 */
function belongsTo(user: string, { ownership }: Project): boolean {
  const roles = ownership?.roles ?? [];
  const isSoleOwner =
    roles.length > 0 && roles.every((each) => each.role === 'Owner' && isSameHandle(each.user, user));
  return isSoleOwner && ownership?.organization === null;
}

/** The name of a project as PEP 503 compares it: `Trust_Directory` and `trust-directory` are one project. */
function normalized(name: string): string {
  return name.replace(/[-_.]+/g, '-').toLowerCase();
}
