import { existsSync, readFileSync } from 'node:fs';
import { packageFile } from '../../platform/package-files.ts';
import type { Judgement, SubjectForm } from './labels.ts';
import type { CalibrationBin, Interval, Move } from './statistics.ts';

/** Result of `validate`: figures of each method, with the limitations of these figures (`limits`). */
export interface ValidationReport {
  /** Day of the measurement, `YYYY-MM-DD`. */
  readonly date: string;
  /** Null if the measurement had no labels. */
  readonly labels: LabelSummary | null;
  readonly limits: readonly string[];
  readonly methods: readonly MethodFigures[];
}

/** Number of the labels of a measurement, and their sources and licences. */
export interface LabelSummary {
  readonly rows: number;
  /** Number of lines that are no labels and were left out. */
  readonly malformed: number;
  readonly groups: readonly {
    group: string;
    rows: number;
    source: string;
    licence: string;
  }[];
}

export interface MethodFigures {
  readonly method: string;
  readonly listings: number;
  /** Number of listings with enough evidence for a score. */
  readonly scored: number;
  /** Null if the measurement had no labels. */
  readonly labelled: LabelFigures | null;
  readonly stability: readonly StabilityRow[];
  readonly distribution: readonly DistributionRow[];
}

/** Figures that need labels. */
export interface LabelFigures {
  readonly coverage: readonly CoverageRow[];
  /** Known-bad listings with a warning. */
  readonly recall: WarnedShare;
  /** Good listings with a warning. */
  readonly falseWarnings: WarnedShare;
  readonly classes: readonly ClassFigures[];
}

/**
 * Numbers of labels of one judgement and form: of all, of those about a listing of this directory (`listed`), and of
 * those about a scored listing (`scored`).
 */
export interface CoverageRow {
  readonly judgement: Judgement;
  readonly form: SubjectForm;
  readonly labels: number;
  readonly clusters: number;
  readonly listed: number;
  readonly scored: number;
}

/** Scored listings with labels of one judgement, and how many of them have the verdict Warning. */
export interface WarnedShare {
  readonly warned: number;
  readonly scored: number;
  readonly clusters: number;
  /** Null if there are too few listings in different clusters for an interval. */
  readonly interval: Interval | null;
  /** Number of listings by the scope of their label. */
  readonly scopes: Readonly<Record<string, number>>;
  /** Number of listings by the reason of their warning. */
  readonly reasons: Readonly<Record<string, number>>;
}

/** Numbers of listings of one class with one judgement, and of the clusters that they belong to. */
export interface ClassSide {
  readonly listings: number;
  readonly clusters: number;
}

/** Figures of one class of listings: of all, or of one kind. */
export interface ClassFigures {
  readonly name: string;
  readonly good: ClassSide;
  readonly bad: ClassSide;
  /** Reason for which neither of the two figures exists; null if they exist. */
  readonly notMeasurable: string | null;
  /** Probability that a random good listing has more trust than a random bad one; a tie counts half. */
  readonly areaUnderCurve: { readonly value: number; readonly interval: Interval | null } | null;
  readonly calibration: {
    readonly error: number;
    readonly interval: Interval | null;
    readonly bins: readonly CalibrationBin[];
  } | null;
}

/** Changes of the scores if one source list is left out. */
export interface StabilityRow {
  readonly list: string;
  /** Number of listings that the list names. */
  readonly listings: number;
  /**
   * Number of listings that only this list names. They would not exist without the list, so the figures below leave
   * them out.
   */
  readonly onlyThere: number;
  /** Number of the other listings whose trust or confidence changes. */
  readonly changed: number;
  /** Number of the other listings whose verdict changes. */
  readonly changedVerdicts: number;
  readonly trust: Move;
  readonly confidence: Move;
}

/** Distribution of the scores of all listings or of those with known stars, for one kind of listing or for all. */
export interface DistributionRow {
  readonly listings: 'all' | 'stars known';
  readonly kind: string;
  readonly rows: number;
  /** Number of distinct pairs of trust and confidence. */
  readonly distinctPairs: number;
  /** Commonest pair, such as `31.1 / 11.3`; null without rows. */
  readonly commonestPair: string | null;
  readonly commonestShare: number;
  readonly entropyBits: number;
  /** Number of listings whose score is a mere default (`isDefaultScore`), because nothing was observed about them. */
  readonly onlyListed: number;
  readonly tiers: Readonly<Record<string, number>>;
  readonly verdicts: Readonly<Record<string, number>>;
}

/** Path of the last published validation, made by `npm run --silent validate -- --labels FILE --json`. */
const VALIDATION_FILE = packageFile('assets/validation.json');

/** Reads the result of the last published validation; null if none was published with this server. */
export function readValidation(): ValidationReport | null {
  return existsSync(VALIDATION_FILE) ? JSON.parse(readFileSync(VALIDATION_FILE, 'utf8')) : null;
}
