import { cvssBaseScore, severityOfScore } from './cvss-severity.ts';
import { cleanLine, listOf, type OsvRecord, objectOf, objectsAmong, webAddressOf } from './osv-values.ts';

/** Databases by the prefix of their ids. A record with another prefix has the prefix as its source. */
const SOURCES: ReadonlyMap<string, string> = new Map([
  ['CVE', 'CVE'],
  ['GHSA', 'GitHub Advisory Database'],
  ['LWA', 'Leitwacht'],
  ['MAL', 'OpenSSF Malicious Packages'],
  ['OSV', 'OSV'],
  ['PYSEC', 'PyPA Advisory Database'],
]);
/** Databases whose records osv.dev does not show. */
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
 * Returns the address of an advisory: the reference that contains its id, otherwise its page at osv.dev, or for a
 * database that osv.dev does not show its first reference.
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

/** Words of databases for the severities of CVSS. */
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
 * Returns the severity: as a word that the record states or that follows from its CVSS 3 vector, and the vector of the
 * newest CVSS version.
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
 * Returns true if the record disputes its fault as a whole: in a field, by the mark `** DISPUTED **` of CVE records, or
 * because it marks each of its packages as disputed.
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
