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
  'Creation dates, tags and categories have no recorded source and stay. Scores of parents stay as they are stored.',
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

const REFER_TO_SOURCE = 'as its source says';

/** Licences of the collections whose licence is known here. */
const GROUP_LICENCES: ReadonlyMap<string, string> = new Map([
  ['anthropics/claude-plugins-official', 'Apache-2.0'],
  ['docker/mcp-registry', 'MIT'],
  ['mcp-registry', 'CC0-1.0'],
  ['osv-mal', 'Apache-2.0'],
  ['osv-mal-id-only', 'Apache-2.0'],
]);

/** Returns the licence of a collection of labels. */
export function licenceOfGroup(group: string): string {
  return GROUP_LICENCES.get(group) ?? REFER_TO_SOURCE;
}
