/** An OSV record, or a JSON object within it. Its members can have any type, because records are not trusted. */
export type OsvRecord = Readonly<Record<string, unknown>>;

/** Returns the value if it is a JSON object, otherwise null. */
export function objectOf(value: unknown): OsvRecord | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as OsvRecord) : null;
}

/** Returns the JSON objects among the values. */
export function objectsAmong(values: readonly unknown[]): OsvRecord[] {
  return values.map(objectOf).filter((each) => each !== null);
}

/** Returns the value if it is a list, otherwise an empty list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the value if it is a text with a visible character, otherwise null. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** Returns a text without control characters other than line breaks, cut to `most` characters. */
export function cleanText(value: unknown, most: number): string {
  // Cuts first, because details can be long. Replacing Windows line breaks afterwards may leave fewer characters than
  // `most`.
  const text = (textOf(value) ?? '').slice(0, most);
  return text
    .replaceAll('\r\n', '\n')
    .replace(/(?!\n)\p{Cc}/gu, ' ')
    .trim()
    .toWellFormed();
}

/** Returns a text in one line, cut to `most` characters. */
export function cleanLine(value: unknown, most: number): string {
  // Returns plain texts at once: most names and versions are plain, and there are many of them.
  if (typeof value === 'string' && value.length <= most && /^[!-~]*$/.test(value)) return value;
  return cleanText(value, 2 * most)
    .replace(/\s+/gu, ' ')
    .slice(0, most)
    .toWellFormed();
}

/** Returns a time in ISO 8601; null if the value is no time in the years 1 to 9999. */
export function timeOf(value: unknown): string | null {
  const text = textOf(value);
  if (text === null || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text)) return null;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) || time.getUTCFullYear() < 1 ? null : time.toISOString();
}

/** Returns the value if it is a web address of at most 2,000 characters, otherwise null. */
export function webAddressOf(value: unknown): string | null {
  const text = textOf(value)?.trim() ?? '';
  return /^https?:\/\/[!-~]+$/i.test(text) && text.length <= 2_000 && URL.canParse(text) ? text : null;
}

/** Names of databases by the prefix of their record ids. For any other prefix, the prefix itself is the name. */
const SOURCES: ReadonlyMap<string, string> = new Map([
  ['CVE', 'CVE'],
  ['GHSA', 'GitHub Advisory Database'],
  ['LWA', 'Leitwacht'],
  ['MAL', 'OpenSSF Malicious Packages'],
  ['OSV', 'OSV'],
  ['PYSEC', 'PyPA Advisory Database'],
]);
/** Name of the database in which osv.dev collects the records of other databases. */
export const COLLECTED_SOURCE = 'OSV';
/** Prefixes of the databases whose records osv.dev does not show. */
const ELSEWHERE: readonly string[] = ['LWA'];

function prefixOf(id: string): string {
  return id.split('-')[0] ?? id;
}

/** Returns the database that published a record with this id. */
export function sourceOf(id: string): string {
  const prefix = prefixOf(id);
  return SOURCES.get(prefix) ?? prefix.slice(0, 60);
}

/**
 * Returns the web address of an advisory: the reference that contains its id, otherwise its page at osv.dev. If osv.dev
 * does not show the records of its database, returns the first reference instead of that page; null if it has none.
 */
export function addressOf(record: OsvRecord, id: string): string | null {
  const references = objectsAmong(listOf(record.references)).flatMap(({ url }) => webAddressOf(url) ?? []);
  const own = references.find((url) => url.includes(id));
  if (own !== undefined) return own;
  const prefix = prefixOf(id);
  if (SOURCES.has(prefix) && !ELSEWHERE.includes(prefix))
    return `https://osv.dev/vulnerability/${encodeURIComponent(id)}`;
  return references[0] ?? null;
}

/** CVSS severities by the words that databases use for them. */
const SEVERITY_WORDS: ReadonlyMap<string, string> = new Map([
  ['low', 'low'],
  ['moderate', 'medium'],
  ['medium', 'medium'],
  ['important', 'high'],
  ['high', 'high'],
  ['critical', 'critical'],
]);

/** Converts a severity as databases write it to the CVSS term; returns null for any other text. */
export function severityWordOf(stated: unknown): string | null {
  return SEVERITY_WORDS.get(cleanLine(stated, 20).toLowerCase()) ?? null;
}

/**
 * Returns the severity as a word, and the vector of the newest CVSS version. The word is the one that the record
 * states; otherwise it is computed from the CVSS 3 vector.
 */
export function severityOf(
  record: OsvRecord,
  affected: readonly OsvRecord[],
): { severity: string | null; cvss: string | null } {
  const stated = specificsOf(record, affected)
    .map(({ severity }) => severityWordOf(severity))
    .find((word) => word !== null);
  const vectors = [record, ...affected]
    .flatMap(({ severity }) => listOf(severity))
    .map((each) => cleanLine(objectOf(each)?.score, 300))
    .filter((score) => score.startsWith('CVSS:'))
    .sort()
    .reverse();
  const [score] = vectors.flatMap((vector) => cvssBaseScore(vector) ?? []);
  const computed = score === undefined ? null : severityOfScore(score);
  return { severity: stated ?? computed, cvss: vectors[0] ?? null };
}

/**
 * Returns the category: the one that the database states, `malware` for malicious packages, otherwise `vulnerability`.
 */
export function categoryOf(record: OsvRecord, id: string): string {
  const specific = objectOf(record.database_specific) ?? {};
  const stated = [specific, ...objectsAmong(Object.values(specific))]
    .map(({ category }) => cleanLine(category, 40).toLowerCase())
    .find((word) => /^[a-z][a-z0-9_-]*$/.test(word));
  return stated ?? (prefixOf(id) === 'MAL' ? 'malware' : 'vulnerability');
}

/**
 * Returns true if the record says that it is disputed as a whole: in a field, by the mark `** DISPUTED **` of CVE
 * records, or because it marks each of its packages as disputed.
 */
export function isDisputed(record: OsvRecord, affected: readonly OsvRecord[]): boolean {
  const marked = [record.summary, record.details].some((text) => /\*\*\s*DISPUTED\s*\*\*/.test(String(text)));
  if (marked || specificOf(record).disputed === true) return true;
  return affected.length > 0 && affected.every((each) => specificOf(each).disputed === true);
}

/**
 * Returns the versions that the record disputes: all listed versions of a package that it marks as disputed, and the
 * versions in `disputed_versions` of the package or of the record.
 */
export function disputedVersionsOf(
  record: OsvRecord,
  affected: OsvRecord,
  versions: readonly string[],
): string[] {
  const own = specificOf(affected);
  if (own.disputed === true) return [...versions];
  const stated = [...listOf(own.disputed_versions), ...listOf(specificOf(record).disputed_versions)];
  return [...new Set(stated.map((each) => cleanLine(each, 200)))].filter((each) => each !== '');
}

function specificOf(each: OsvRecord): OsvRecord {
  return objectOf(each.database_specific) ?? {};
}

/** Returns the database-specific members of the record and of its packages. */
function specificsOf(record: OsvRecord, affected: readonly OsvRecord[]): OsvRecord[] {
  return objectsAmong([record, ...affected].map((each) => each.database_specific));
}

/** Weights of the base metrics of CVSS 3.0 and 3.1, by metric and value. */
const WEIGHTS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  PR: { N: 0.85, L: 0.62, H: 0.27 },
  UI: { N: 0.85, R: 0.62 },
  C: { H: 0.56, L: 0.22, N: 0 },
  I: { H: 0.56, L: 0.22, N: 0 },
  A: { H: 0.56, L: 0.22, N: 0 },
};
/** Weights of the metric Privileges Required (PR) if the metric Scope (S) is Changed. */
const CHANGED_SCOPE_PRIVILEGES: Readonly<Record<string, number>> = { N: 0.85, L: 0.68, H: 0.5 };

/** Computes the base score of a CVSS 3 vector by the formula of its specification. Returns null for other texts. */
export function cvssBaseScore(vector: string): number | null {
  if (!/^CVSS:3\.[01]\//.test(vector)) return null;
  const metrics = new Map<string, string>(
    vector.split('/').map((part) => {
      const [name = '', value = ''] = part.split(':');
      return [name, value] as const;
    }),
  );
  const isScopeChanged = metrics.get('S') === 'C';
  const weight = (name: string) => WEIGHTS[name]?.[metrics.get(name) ?? ''];
  const privileges = isScopeChanged ? CHANGED_SCOPE_PRIVILEGES[metrics.get('PR') ?? ''] : weight('PR');
  const [vectorOfAttack, complexity, interaction] = ['AV', 'AC', 'UI'].map(weight);
  const impacts = ['C', 'I', 'A'].map(weight);
  if (!vectorOfAttack || !complexity || !interaction || !privileges) return null;
  if (impacts.includes(undefined)) return null;
  const missed = 1 - impacts.reduce<number>((product, impact) => product * (1 - (impact ?? 0)), 1);
  const impact = isScopeChanged ? 7.52 * (missed - 0.029) - 3.25 * (missed - 0.02) ** 15 : 6.42 * missed;
  if (impact <= 0) return 0;
  const exploitability = 8.22 * vectorOfAttack * complexity * privileges * interaction;
  return roundUp(Math.min((isScopeChanged ? 1.08 : 1) * (impact + exploitability), 10));
}

/** Rounds up to one decimal place, without the errors of binary fractions (CVSS 3.1, appendix A). */
function roundUp(score: number): number {
  const whole = Math.round(score * 100_000);
  return whole % 10_000 === 0 ? whole / 100_000 : (Math.floor(whole / 10_000) + 1) / 10;
}

/** Returns the severity rating of a CVSS base score. */
export function severityOfScore(score: number): 'none' | 'low' | 'medium' | 'high' | 'critical' {
  if (score === 0) return 'none';
  if (score < 4) return 'low';
  if (score < 7) return 'medium';
  return score < 9 ? 'high' : 'critical';
}
