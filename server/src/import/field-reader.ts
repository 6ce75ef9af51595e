import { isRepositoryName } from '../registry/repository-name.ts';
import { isShownName, isVisible, SHOWN_NAME_RULE } from '../subjects/shown-name.ts';

const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;
const ISO_MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:\d{2})$/;
const HOST = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;
/** Nothing grows a millionfold in a day; beyond it somebody sent a count for a ratio. */
const LARGEST_RATIO = 1_000_000;

/**
 * Reads the fields of one parsed row and notes every problem, so that a row's reason names all of them at once. An
 * absent field is a null one. What a reader returns after a problem is a stand-in of the right type: ask `reason` first.
 */
export class FieldReader {
  readonly #row: Readonly<Record<string, unknown>>;
  readonly #problems: string[] = [];

  constructor(row: Readonly<Record<string, unknown>>) {
    this.#row = row;
  }

  /** All problems in one line, or null. */
  get reason(): string | null {
    return this.#problems.length === 0 ? null : this.#problems.join('; ');
  }

  problem(field: string, text: string): void {
    this.#problems.push(`${field}: ${text}`);
  }

  /** A text or null; `max` in characters. */
  optionalText(field: string, max = Number.POSITIVE_INFINITY): string | null {
    const value = this.#row[field] ?? null;
    if (value === null) return null;
    if (typeof value !== 'string') this.problem(field, 'must be text');
    else if (value.length > max) this.problem(field, `longer than ${max} characters`);
    else return value;
    return null;
  }

  /** A text that says something. */
  text(field: string, max: number): string {
    const missing = (this.#row[field] ?? null) === null;
    const value = this.optionalText(field, max);
    if (missing || value?.trim() === '') this.problem(field, 'is missing');
    return value ?? '';
  }

  /** A name that somebody can see, and that is what it looks like. */
  name(field: string, max: number): string {
    const value = this.text(field, max);
    if (value.trim() !== '' && !isShownName(value)) this.problem(field, `needs ${SHOWN_NAME_RULE}`);
    return value;
  }

  /** The same or null; a text of which nothing is seen is none, as a blank one is. */
  optionalName(field: string, max: number): string | null {
    const value = this.optionalText(field, max)?.trim() ?? null;
    if (value === null || !isVisible(value)) return null;
    if (!isShownName(value)) this.problem(field, `needs ${SHOWN_NAME_RULE}`);
    return value;
  }

  /** A list of names. */
  names(field: string): string[] {
    const names = this.texts(field);
    if (!names.every(isShownName)) this.problem(field, `each needs ${SHOWN_NAME_RULE}`);
    return names;
  }

  choice<Choice extends string>(field: string, choices: readonly Choice[]): Choice {
    const value = this.#row[field];
    const chosen = choices.find((choice) => choice === value);
    if (chosen === undefined) this.problem(field, `must be one of ${choices.join(', ')}`);
    return chosen ?? (choices[0] as Choice);
  }

  texts(field: string): string[] {
    const value = this.#row[field] ?? [];
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
    this.problem(field, 'must be a list of texts');
    return [];
  }

  boolean(field: string): boolean {
    const value = this.#row[field];
    if (typeof value !== 'boolean') this.problem(field, 'must be true or false');
    return value === true;
  }

  optionalBoolean(field: string): boolean | null {
    return (this.#row[field] ?? null) === null ? null : this.boolean(field);
  }

  /** A whole number of 0 or more that JavaScript holds exactly, or null. */
  count(field: string): number | null {
    const value = this.#row[field] ?? null;
    if (value === null) return null;
    if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
    this.problem(field, 'must be a whole number of 0 or more');
    return null;
  }

  /** A ratio (0.5 is one half) of at least `least`, or null. */
  ratio(field: string, least: number): number | null {
    const value = this.#row[field] ?? null;
    if (value === null) return null;
    if (typeof value === 'number' && value >= least && value <= LARGEST_RATIO) return value;
    this.problem(field, `must be a number from ${least} to ${LARGEST_RATIO}`);
    return null;
  }

  /** A day or a moment in ISO 8601 that exists in the calendar, or null; a moment states its zone. */
  moment(field: string): string | null {
    const value = this.optionalText(field, 40);
    if (value === null) return null;
    const known = ISO_DATE.test(value) || ISO_MOMENT.test(value);
    if (known && isCalendarDay(value.slice(0, 10)) && isInEra(Date.parse(value))) return value;
    this.problem(field, 'must be a date in ISO 8601');
    return null;
  }

  /** An http or https address, or null. */
  link(field: string): string | null {
    const value = this.optionalText(field, 2048);
    if (value === null) return null;
    const protocol = URL.canParse(value) ? new URL(value).protocol : '';
    if (protocol === 'https:' || protocol === 'http:') return value;
    this.problem(field, 'must be an http or https address');
    return null;
  }

  /** A host name in lower case, never the name of this directory's own accounts. */
  host(field: string): string {
    const value = this.text(field, 253).toLowerCase();
    if (value !== '' && !HOST.test(value)) this.problem(field, 'must be a host name');
    return value;
  }

  repository(field: string): string {
    const value = this.text(field, 201);
    if (value !== '' && !isRepositoryName(value)) this.problem(field, 'must be owner/name');
    return value;
  }
}

/** False for no moment, and for those whose year in UTC has not four digits or is the year 0, which never was. */
function isInEra(time: number): boolean {
  return !Number.isNaN(time) && /^(?!0000)\d{4}-/.test(new Date(time).toISOString());
}

/** False for 30 February and the like, which Date.parse moves into March. */
function isCalendarDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) && !day.startsWith('0000');
}
