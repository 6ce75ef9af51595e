import type { Connection } from '../../platform/database/connect.ts';
import { REPOSITORY_FACTS } from '../facts/repository-facts.queries.ts';
import { createLabelMatcher, type Label, type LabelMatcher, type SubjectForm } from './labels.ts';
import { measureLabels } from './measure-labels.ts';
import { measureDistribution, measureStability } from './measure-scores.ts';
import { loadMeasuredListings, type MeasuredListing } from './measured-listings.queries.ts';
import { type KnownListing, MEASURED_METHODS, type MeasuredMethod, scoreListings } from './score-listing.ts';
import { countValues, describeValues } from './statistics.ts';
import type { LabelSummary, MethodFigures, ValidationReport } from './validation-report.ts';

/** Progress output of a validation. */
interface ValidationProgress {
  begin(label: string, rows: number): void;
  advance(rows: number): void;
  end(): void;
}

/** Options of a validation. */
interface ValidationOptions {
  /** Labels to measure on, and the number of lines that are no labels; null for figures without labels. */
  readonly labels: { readonly rows: readonly Label[]; readonly malformed: number } | null;
  readonly methods?: readonly MeasuredMethod[];
  /** Time from which ages are computed; by default the time at which the facts are read. */
  readonly at?: Date | undefined;
  readonly progress?: ValidationProgress;
}

/** Number of listings whose facts one statement reads. */
const BATCH = 1_000;
/** Number of decimals of all figures. */
const DECIMALS = 4;

/**
 * Measures scoring methods on the directory's present facts. It scores every listing by each method in memory, and
 * writes nothing to the database.
 */
export async function validateMethods(
  connection: Connection,
  { labels, methods = MEASURED_METHODS, at, progress }: ValidationOptions,
): Promise<ValidationReport> {
  const listings = await loadMeasuredListings(connection);
  progress?.begin('reading facts, listings', listings.length);
  const known = await loadKnown(connection, listings, at ?? null, (rows) => progress?.advance(rows));
  progress?.end();
  const match = createLabelMatcher(listings);
  const now = known[0]?.known.now ?? at ?? new Date();
  return roundFigures({
    date: now.toISOString().slice(0, 10),
    labels: labels && summarise(labels.rows, labels.malformed),
    limits: limitsOf(labels?.rows ?? null),
    methods: methods.map((method) => figuresOf(method, known, labels?.rows ?? null, match)),
  });
}

/** Loads the facts of listings in batches. Ages are computed from `at`, or from the time of the first batch. */
async function loadKnown(
  connection: Connection,
  listings: readonly MeasuredListing[],
  at: Date | null,
  onBatch: (rows: number) => void,
): Promise<KnownListing[]> {
  const loaded: KnownListing[] = [];
  let now = at;
  for (let start = 0; start < listings.length; start += BATCH) {
    const batch = listings.slice(start, start + BATCH);
    const facts = await REPOSITORY_FACTS.load(
      connection,
      batch.map(({ id }) => id),
    );
    for (const listing of batch) {
      const known = facts.get(listing.id);
      if (known === undefined) continue;
      now ??= known.now;
      loaded.push({ listing, known: { ...known, now } });
    }
    onBatch(batch.length);
  }
  return loaded;
}

function figuresOf(
  method: MeasuredMethod,
  known: readonly KnownListing[],
  labels: readonly Label[] | null,
  match: LabelMatcher,
): MethodFigures {
  const scored = scoreListings(method, known);
  return {
    method: method.version,
    listings: known.length,
    scored: scored.length,
    labelled: labels && measureLabels(method, labels, match, scored),
    stability: measureStability(method, scored),
    distribution: measureDistribution(scored),
  };
}

function summarise(labels: readonly Label[], malformed: number): LabelSummary {
  const groups = Object.entries(countValues(labels.map(({ group }) => group)));
  return {
    rows: labels.length,
    malformed,
    groups: groups.map(([group, rows]) => ({ group, rows, ...originOfGroup(group) })),
  };
}

/** Rounds every number of a report, so that its JSON is short and the same on every machine. */
function roundFigures(report: ValidationReport): ValidationReport {
  const round = (_name: string, value: unknown) =>
    typeof value === 'number' ? Number(value.toFixed(DECIMALS)) : value;
  return JSON.parse(JSON.stringify(report, round));
}

/** Limitations of every figure that is measured on labels. */
const LABEL_LIMITS = [
  'Bad packages are gone from their registries: what is missing of them is missing because they are bad.',
  'A proved registry namespace proves identity, not goodness.',
] as const;

/** Limitations of every figure that is measured by leaving out a source list. */
const LIST_LIMITS = [
  'Without a list, the facts stored as its own are left out. Another list may state the same fact, but only one source of each fact is stored, so these moves are upper limits.',
  'Creation dates, tags, categories and licences that any of several lists may state have no recorded source and stay, so what they would move is not measured. Scores of parents stay as they are stored.',
] as const;

const FORM_NAMES: Readonly<Record<SubjectForm, string>> = {
  npm: 'npm packages',
  pypi: 'PyPI packages',
  repo: 'repositories',
  skill: 'skills',
};

/** A cluster with at least this share of the labels of one form is named as a limitation. */
const DOMINANT_SHARE = 0.5;

/** Returns the limitations of the figures: those of the labels, if there are any, and those of the source lists. */
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

/** Returns the source and licence of a collection of labels. For an unknown collection, the source is its own name. */
export function originOfGroup(group: string): Origin {
  const known = ORIGINS.find(([prefix]) => group.startsWith(prefix));
  return known?.[1] ?? { source: group, licence: 'as its source says' };
}
