import type { Connection } from '../../database/connect.ts';
import { loadSampleSubjects } from '../../directory/sample-subjects.ts';
import type { Naming } from '../../subjects/naming.ts';

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
 * The names of subjects that are there, by those that the contract's examples use: a sample call leads to somebody. Where
 * there is none of a kind yet, the examples stand as they are.
 */
export async function loadRealNames(reads: Connection, naming: Naming): Promise<RealNames> {
  const { agent, skill, socialAccount, messagingAccount } = await loadSampleSubjects(reads, naming);
  const real: Readonly<Record<keyof typeof IN_EXAMPLES, string | null | undefined>> = {
    agentId: agent?.agentId,
    canonicalId: agent?.id,
    agent: agent?.repository,
    creator: agent?.creator,
    atCreator: agent && `@${agent.creator}`,
    skill: skill?.repository,
    socialAccount,
    messagingAccount,
  };
  const kinds = Object.entries(IN_EXAMPLES) as [keyof typeof IN_EXAMPLES, readonly string[]][];
  return new Map(
    kinds.flatMap(([kind, names]) => {
      const name = real[kind];
      return name ? names.map((example) => [example, name] as const) : [];
    }),
  );
}

/** A value of an example with real names in it: only a whole text is a name. */
export function withRealNames(value: unknown, names: RealNames): unknown {
  if (typeof value === 'string') return names.get(value) ?? value;
  if (Array.isArray(value)) return value.map((each) => withRealNames(each, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withRealNames(each, names)]));
}
