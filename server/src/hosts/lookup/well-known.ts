import type { Hosts } from '../create-hosts.ts';
import { HostFailure } from '../host-account.ts';
import {
  type AnswerMemory,
  type AskHost,
  conditionalRequests,
  type RateLimit,
  requestHost,
} from '../request-host.ts';
import { cleanName, createAnswerParser, optionalSchema } from '../untrusted-answers.ts';

/** Agent card of a domain (A2A 1.0), with the addresses in the card that may name the agent's repository. */
export interface AgentCard {
  readonly name: string;
  readonly version: string | null;
  readonly provider: string | null;
  readonly links: readonly string[];
}

/** Entry of a domain's index of skills, with the address of the skill. */
export interface IndexedSkill {
  readonly name: string;
  readonly digest: string | null;
  readonly link: string;
}

/** Files that a domain publishes about its agents and skills; null for one that it does not publish. */
export interface WellKnownFiles {
  readonly card: AgentCard | null;
  readonly skills: readonly IndexedSkill[] | null;
}

export const AGENT_CARD_PATH = '/.well-known/agent-card.json';
export const SKILLS_INDEX_PATH = '/.well-known/agent-skills/index.json';

/** Identifier of the only supported version of the index. */
const SKILLS_SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';
const MAX_SKILLS = 500;
const TEXT_LENGTH = 200;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const SKILL_NAME = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;

const readCard = createAnswerParser({
  type: 'object',
  required: ['name', 'version', 'supportedInterfaces'],
  properties: {
    name: { type: 'string', minLength: 1 },
    version: { type: 'string' },
    documentationUrl: optionalSchema('string'),
    provider: {
      type: ['object', 'null'],
      properties: { url: optionalSchema('string'), organization: optionalSchema('string') },
    },
    supportedInterfaces: {
      type: 'array',
      minItems: 1,
      items: { type: 'object', required: ['url'], properties: { url: { type: 'string' } } },
    },
  },
});

const readIndex = createAnswerParser({
  type: 'object',
  required: ['$schema', 'skills'],
  properties: {
    $schema: { const: SKILLS_SCHEMA },
    skills: {
      type: 'array',
      maxItems: MAX_SKILLS,
      items: {
        type: 'object',
        required: ['name', 'url'],
        properties: {
          name: { type: 'string' },
          url: { type: 'string', maxLength: 2_048 },
          digest: optionalSchema('string'),
        },
      },
    },
  },
});

/**
 * Reads the agent card and the index of skills of a domain, by conditional requests. A missing file is returned as
 * null. Rejects with a HostFailure if the domain is unavailable, or if a file is not in the documented form.
 */
export async function readWellKnown(
  hosts: Hosts,
  { domain, url }: { domain: string; url: string },
  { memory, signal }: { memory: AnswerMemory; signal: AbortSignal },
): Promise<{ files: WellKnownFiles; memory: AnswerMemory; requests: number; rateLimit: RateLimit }> {
  const { ask, result } = conditionalRequests(
    (path, request) =>
      requestHost(hosts, { host: domain, url }, path, { ...request, signal, client: hosts.webClient }),
    memory,
  );
  const card = await unlessMissing(ask, AGENT_CARD_PATH, ({ body }) => cardOf(body, domain));
  const skills = await unlessMissing(ask, SKILLS_INDEX_PATH, ({ body }) => skillsOf(body, domain));
  return { files: { card, skills }, ...result() };
}

async function unlessMissing<Value>(
  ask: AskHost,
  path: string,
  parse: (answer: { body: string }) => Value,
): Promise<Value | null> {
  try {
    return await ask(path, parse, { alsoNotFound: 404 });
  } catch (error) {
    if (error instanceof HostFailure && error.kind === 'not_found') return null;
    throw error;
  }
}

/** Parses an agent card; throws HostFailure if it is not in the documented form. */
export function cardOf(body: string, domain: string): AgentCard {
  const { name, version, documentationUrl, provider } = readCard(body, domain);
  const shown = cleanName(name, TEXT_LENGTH);
  if (shown === null) throw new HostFailure('unusable', `${domain} gave an undocumented answer.`);
  return {
    name: shown,
    version: cleanName(version, TEXT_LENGTH),
    provider: cleanName(provider?.organization, TEXT_LENGTH),
    links: [documentationUrl, provider?.url].flatMap((link) => link ?? []),
  };
}

/**
 * Returns the skills of an index, with addresses resolved against the index; omits skills with an invalid name or
 * address. Throws HostFailure if the index is not in the documented form.
 */
export function skillsOf(body: string, domain: string): IndexedSkill[] {
  const base = `https://${domain}${SKILLS_INDEX_PATH}`;
  return readIndex(body, domain).skills.flatMap(({ name, url, digest }) => {
    if (!SKILL_NAME.test(name) || !URL.canParse(url, base)) return [];
    const hash = digest && DIGEST.test(digest) ? digest : null;
    return [{ name, digest: hash, link: new URL(url, base).href }];
  });
}
