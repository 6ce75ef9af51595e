import type { Label, SubjectForm } from './parse-label.ts';
import { describeValues } from './statistics.ts';

/** Limits of any figure that is measured on labels of this kind. */
const LABEL_LIMITS = [
  'Bad packages are gone from their registries: what is missing of them is missing because they are bad.',
  'A proved registry namespace proves identity, not goodness.',
] as const;

/** Limits of the figures about source lists. */
const LIST_LIMITS = [
  'Without a list, its facts are left out. Another list may have the same fact, but only one source of each fact is stored, so the moves are upper limits.',
  'Creation dates, tags, categories and licences that any of several lists may state have no recorded source and stay. Scores of parents stay as they are stored.',
] as const;

const FORM_NAMES: Readonly<Record<SubjectForm, string>> = {
  npm: 'npm packages',
  pypi: 'PyPI packages',
  repo: 'repositories',
  skill: 'skills',
};

/** Share of the labels of one form from which one cluster counts as a limit. */
const DOMINANT_SHARE = 0.5;

/** Returns what limits the figures: of the labels, if there are any, and of the source lists. */
export function limitsOf(labels: readonly Label[] | null): string[] {
  if (labels === null) return [...LIST_LIMITS];
  return [...LABEL_LIMITS, ...dominantClusters(labels), ...LIST_LIMITS];
}

function dominantClusters(labels: readonly Label[]): string[] {
  const forms = [...new Set(labels.map(({ form }) => form))].sort();
  return forms.flatMap((form) => {
    const clusters = labels.filter((label) => label.form === form).map(({ cluster }) => cluster);
    const { rows, commonest, commonestShare } = describeValues(clusters);
    const inside = Math.round(commonestShare * rows);
    if (inside === 1 || commonestShare < DOMINANT_SHARE) return [];
    return `${inside} of the ${rows} labelled ${FORM_NAMES[form]} are of one repository or campaign: ${commonest}.`;
  });
}

/** Origin of the labels of a collection, and the licence under which it is published. */
interface Origin {
  readonly source: string;
  readonly licence: string;
}

const OSSF: Origin = { source: 'ossf/malicious-packages', licence: 'Apache-2.0' };
const BUMBLEBEE: Origin = { source: 'perplexityai/bumblebee', licence: 'Apache-2.0' };

/** Known origins by the beginning of the collection's name. */
const ORIGINS: readonly (readonly [prefix: string, origin: Origin])[] = [
  ['agent-bom-blocklist', { source: 'msaad00/agent-bom', licence: 'Apache-2.0' }],
  [
    'anthropics/claude-plugins-official',
    { source: 'anthropics/claude-plugins-official', licence: 'Apache-2.0' },
  ],
  ['bumblebee-', BUMBLEBEE],
  ['docker/mcp-registry', { source: 'docker/mcp-registry', licence: 'MIT' }],
  ['MaliciousAgentSkillsBench', { source: 'protectskills/MaliciousAgentSkillsBench', licence: 'MIT' }],
  ['mcp-registry', { source: 'registry.modelcontextprotocol.io', licence: 'CC0-1.0' }],
  ['osv-mal', OSSF],
];

/** Returns the source and licence of a collection of labels. An unknown one is its own source. */
export function originOfGroup(group: string): Origin {
  const known = ORIGINS.find(([prefix]) => group.startsWith(prefix));
  return known?.[1] ?? { source: group, licence: 'as its source says' };
}
