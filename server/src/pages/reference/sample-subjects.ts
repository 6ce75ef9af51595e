import type { Connection } from '../../database/connect.ts';
import type { Naming } from '../../subjects/naming.ts';
import { publicRepository } from '../../subjects/public-path.ts';
import { findAnAccount, findMostTrusted } from './sample-subjects.repository.ts';

/** What stands in samples for names that the contract's examples invent. */
export type RealNames = ReadonlyMap<string, string>;

/** The names that the contract's examples give an agent and a skill. */
const IN_EXAMPLES = {
  agentId: ['AGT-7K2MQ9XD'],
  canonicalId: ['b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88'],
  agent: ['google-gemini/gemini-cli', 'example-labs/changelog-agent', 'QwenLM/qwen-code'],
  creator: ['google-gemini'],
  atCreator: ['@example-labs'],
  skill: ['upstash/context7', 'npm:@upstash/context7-mcp'],
  socialAccount: ['x:example_labs'],
  messagingAccount: ['telegram:example_labs_news'],
} as const;

/**
 * The names of the most trusted agent and skill there are, and of an account of each type, by those that the contract's examples use: a sample call leads to
 * somebody. Where there is none yet, the examples stand as they are.
 */
export async function loadRealNames(reads: Connection, naming: Naming): Promise<RealNames> {
  const [agent, skill, socialAccount, messagingAccount] = await Promise.all([
    findMostTrusted(reads, 'agent', naming),
    findMostTrusted(reads, 'skill', naming),
    findAnAccount(reads, 'social_account'),
    findAnAccount(reads, 'messaging_account'),
  ]);
  const agentName = agent && publicRepository(agent, naming);
  const skillName = skill && publicRepository(skill, naming);
  const pairs = [
    ...(agent ? [...IN_EXAMPLES.agentId.map((name) => [name, agent.agentId] as const)] : []),
    ...(agent ? [...IN_EXAMPLES.canonicalId.map((name) => [name, agent.id] as const)] : []),
    ...(agent ? [...IN_EXAMPLES.creator.map((name) => [name, agent.creator] as const)] : []),
    ...(agent ? IN_EXAMPLES.atCreator.map((name) => [name, `@${agent.creator}`] as const) : []),
    ...(agentName ? IN_EXAMPLES.agent.map((name) => [name, agentName] as const) : []),
    ...(skillName ? IN_EXAMPLES.skill.map((name) => [name, skillName] as const) : []),
    ...(socialAccount ? IN_EXAMPLES.socialAccount.map((name) => [name, socialAccount] as const) : []),
    ...(messagingAccount
      ? IN_EXAMPLES.messagingAccount.map((name) => [name, messagingAccount] as const)
      : []),
  ];
  return new Map(pairs);
}

/** A value of an example with real names in it: only a whole text is a name. */
export function withRealNames(value: unknown, names: RealNames): unknown {
  if (typeof value === 'string') return names.get(value) ?? value;
  if (Array.isArray(value)) return value.map((each) => withRealNames(each, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withRealNames(each, names)]));
}
