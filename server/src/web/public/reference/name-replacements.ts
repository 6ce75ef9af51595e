import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import { loadSampleSubjects } from '../../../directory/sample-subjects.ts';
import type { Connection } from '../../../platform/database/connect.ts';
import type { Endpoint } from './reference.ts';

/** Maps names in the contract's examples to the names of existing subjects that replace them. */
export type NameReplacements = ReadonlyMap<string, string>;

/** Names in the contract's examples, by kind. A directory may have no subjects with these names. */
const EXAMPLE_NAMES = {
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
 * Maps the names in the contract's examples to existing subjects, so that sample calls work. Kinds without a subject
 * are not mapped.
 */
export async function loadNameReplacements(
  reads: Connection,
  publicUrls: PublicUrls,
): Promise<NameReplacements> {
  const { agent, skill, socialAccount, messagingAccount } = await loadSampleSubjects(reads, publicUrls);
  const real: Readonly<Record<keyof typeof EXAMPLE_NAMES, string | null | undefined>> = {
    agentId: agent?.agentId,
    canonicalId: agent?.id,
    agent: agent?.repository,
    creator: agent?.creator,
    atCreator: agent && `@${agent.creator}`,
    skill: skill?.repository,
    socialAccount,
    messagingAccount,
  };
  const kinds = Object.entries(EXAMPLE_NAMES) as [keyof typeof EXAMPLE_NAMES, readonly string[]][];
  return new Map(
    kinds.flatMap(([kind, names]) => {
      const name = real[kind];
      return name ? names.map((example) => [example, name] as const) : [];
    }),
  );
}

/** Replaces example names by real ones in a value. Replaces only strings that equal a name, not parts of strings. */
export function replaceNames(value: unknown, names: NameReplacements): unknown {
  if (typeof value === 'string') return names.get(value) ?? value;
  if (Array.isArray(value)) return value.map((each) => replaceNames(each, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replaceNames(each, names)]));
}

/** Path parameter that only the reader knows, such as the id of their own key, receipt or listing. */
interface ReaderId {
  /** Name of the path parameter. */
  readonly name: string;
  /** Environment variable in shell samples. */
  readonly variable: string;
  /** Constant in program samples. */
  readonly constant: string;
  readonly meaning: string;
}

/** Returns the path parameters of an endpoint that needs a key or a session; none for public endpoints. */
export function readerIds({ parameters, schemes, path }: Endpoint): ReaderId[] {
  if (schemes.length === 0) return [];
  return parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name, field }) => {
      const words =
        name === 'id'
          ? [resourceName(path), 'id']
          : name.split(/_|(?=[A-Z])/).map((word) => word.toLowerCase());
      const [first = '', ...others] = words.flatMap((word) => word.split('_'));
      return {
        name,
        variable: [first, ...others].join('_').toUpperCase(),
        constant: first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(''),
        meaning: field.description,
      };
    });
}

/** Returns the resource that `{id}` in a path identifies: the preceding segment in the singular, such as `key`. */
function resourceName(path: string): string {
  const parts = path.split('/');
  return (parts[parts.indexOf('{id}') - 1] ?? '').replace(/s$/, '').replaceAll('-', '_');
}
