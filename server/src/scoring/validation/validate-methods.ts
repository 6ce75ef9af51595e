import type { Connection } from '../../platform/database/connect.ts';
import { REPOSITORY_FACTS } from '../facts/repository-facts.queries.ts';
import { createLabelMatcher, type LabelMatcher } from './match-labels.ts';
import { measureDistribution } from './measure-distribution.ts';
import { measureLabels } from './measure-labels.ts';
import { measureStability } from './measure-stability.ts';
import { loadMeasuredListings, type MeasuredListing } from './measured-listings.queries.ts';
import { MEASURED_METHODS, type MeasuredMethod } from './measured-methods.ts';
import type { Label } from './parse-label.ts';
import { type KnownListing, scoreListings } from './score-listing.ts';
import { countValues } from './statistics.ts';
import { limitsOf, originOfGroup } from './validation-limits.ts';
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
