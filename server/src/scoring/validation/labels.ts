import type { MeasuredListing } from './measured-listings.queries.ts';

/** Judgements that a label can state. */
export const JUDGEMENTS = ['good', 'bad', 'suspect'] as const;

export type Judgement = (typeof JUDGEMENTS)[number];

/** Forms of labelled subjects: npm packages, PyPI packages, repositories, and skills of other directories. */
const FORMS = ['npm', 'pypi', 'repo', 'skill'] as const;

export type SubjectForm = (typeof FORMS)[number];

/** Judgement on a subject by a collection outside of this directory, such as a list of malicious packages. */
export interface Label {
  readonly form: SubjectForm;
  /** Subject without the form: name of a package, `owner/name` of a repository, path of a skill. */
  readonly name: string;
  readonly judgement: Judgement;
  /** Collection that the label comes from. */
  readonly group: string;
  /** Cluster of the label. Labels of one cluster, such as packages of one attack campaign, depend on each other. */
  readonly cluster: string;
  /** Part of the subject that is judged: `package`, `versions`, `artifact` or another word; null if not stated. */
  readonly scope: string | null;
  /** `owner/name` of the listings that the label is about. */
  readonly listings: readonly string[];
  /** Label leakage in words: the signals that would reveal the label itself. */
  readonly leaks: readonly string[];
}

/** Thrown for a line that is no label; the message says what is wrong and what is allowed. */
class MalformedLabel extends Error {}

/** Parses one line of newline-delimited JSON as a label. Returns an error message if the line is no label. */
export function parseLabel(text: string): Label | string {
  try {
    return labelOf(objectOf(text));
  } catch (error) {
    if (error instanceof MalformedLabel) return error.message;
    throw error;
  }
}

type Row = Readonly<Record<string, unknown>>;

function objectOf(text: string): Row {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new MalformedLabel('the line is not JSON: write one JSON object per line');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new MalformedLabel('the line must be a JSON object');
  return value as Row;
}

function labelOf(row: Row): Label {
  const { form, name } = subjectOf(row.subject);
  const judgement = JUDGEMENTS.find((each) => each === row.label);
  if (judgement === undefined) throw new MalformedLabel(`label must be one of ${JUDGEMENTS.join(', ')}`);
  return {
    form,
    name,
    judgement,
    group: optionalText(row, 'group') ?? 'not stated',
    cluster: requiredText(row, 'cluster'),
    scope: optionalText(row, 'scope'),
    listings: textsOf(row, 'listings'),
    leaks: textsOf(row, 'leaks'),
  };
}

function subjectOf(subject: unknown): { form: SubjectForm; name: string } {
  const [, prefix, name] = /^([a-z]+):(\S.*)$/.exec(typeof subject === 'string' ? subject : '') ?? [];
  const form = FORMS.find((each) => each === prefix);
  if (form === undefined || name === undefined) {
    const allowed = FORMS.map((each) => `${each}:`).join(', ');
    throw new MalformedLabel(`subject must be a name that follows one of ${allowed}`);
  }
  return { form, name };
}

function requiredText(row: Row, field: string): string {
  const text = optionalText(row, field);
  if (text === null) throw new MalformedLabel(`${field} is missing: it must be a text that is not empty`);
  return text;
}

function optionalText(row: Row, field: string): string | null {
  const value = row[field] ?? null;
  if (value === null) return null;
  if (typeof value !== 'string' || value === '')
    throw new MalformedLabel(`${field} must be a text that is not empty`);
  return value;
}

function textsOf(row: Row, field: string): string[] {
  const value = row[field] ?? [];
  if (!Array.isArray(value) || value.some((each) => typeof each !== 'string'))
    throw new MalformedLabel(`${field} must be a list of texts`);
  return value;
}

/** Host of a repository that is named only by `owner/name`. */
const DEFAULT_HOST = 'github.com';

/** Finds the listings that a label is about. */
export type LabelMatcher = (label: Label) => MeasuredListing[];

/**
 * Creates a function that finds the listings of a label: those that the label names, and the listing of its repository
 * or package. Repositories are looked up on github.com only. Names are compared without case, as hosts do, except for
 * names of npm packages. A package that several listings name identifies none of them.
 */
export function createLabelMatcher(listings: readonly MeasuredListing[]): LabelMatcher {
  const byRepository = new Map(
    listings.map((listing) => [repositoryKey(listing.host, listing.repository), listing]),
  );
  const packages = {
    npm: uniqueBy(listings, ({ npmPackage }) => npmPackage),
    pypi: uniqueBy(listings, ({ pypiPackage }) => pypiPackage?.toLowerCase() ?? null),
  };
  const findRepository = (name: string) => byRepository.get(repositoryKey(DEFAULT_HOST, name));
  const findSubject = ({ form, name }: Label): MeasuredListing | undefined => {
    switch (form) {
      case 'npm':
        return packages.npm.get(name);
      case 'pypi':
        return packages.pypi.get(name.toLowerCase());
      case 'repo':
        return findRepository(name);
      case 'skill':
        return undefined;
    }
  };
  return (label) => {
    const found = [...label.listings.map(findRepository), findSubject(label)];
    return [...new Set(found.filter((listing) => listing !== undefined))];
  };
}

function repositoryKey(host: string, repository: string): string {
  return `${host}/${repository}`.toLowerCase();
}

/** Maps keys to listings. Leaves out a key that several listings share, because it identifies none of them. */
function uniqueBy(
  listings: readonly MeasuredListing[],
  keyOf: (listing: MeasuredListing) => string | null,
): Map<string, MeasuredListing> {
  const found = new Map<string, MeasuredListing | null>();
  for (const listing of listings) {
    const key = keyOf(listing);
    if (key !== null) found.set(key, found.has(key) ? null : listing);
  }
  return new Map([...found].flatMap(([key, listing]) => (listing === null ? [] : [[key, listing] as const])));
}
