/** Whose names are looked through. */
export type Named = 'listing' | 'creator' | 'artifact';

/** So many of the most popular ones are looked at, however common a beginning or a word is. */
export const MOST_POPULAR = 1_000;
/** So many that begin with a text are looked at beside those. */
export const MOST_NEAR = 300;

/** The first that begin with a text: those that are the text itself, the popular first, then the others by name. */
export function nearNames(of: string, key: string): string {
  return `SELECT subject_id, weight, CASE WHEN key = ${key} THEN 0 ELSE 1 END AS class FROM listed_name
    WHERE of = ${of} AND key >= ${key} AND key < ${key} || U&'\\+10FFFF' ORDER BY key, weight DESC, subject_id LIMIT ${MOST_NEAR}`;
}

/** The most popular of a group, with these columns of theirs. */
export function popularNames(of: string, columns: string): string {
  return `SELECT ${columns} FROM listed_name WHERE of = ${of} ORDER BY weight DESC, key, subject_id LIMIT ${MOST_POPULAR}`;
}

/** What is shown of a subject of each group among the `best`. */
interface Shown {
  from: string;
  type: string;
  name: string;
  about: string;
  trust: string;
}

export const SHOWN: Readonly<Record<Named, Shown>> = {
  listing: {
    from: 'best JOIN listing l ON l.subject_id = best.subject_id JOIN listing_rank k ON k.subject_id = l.subject_id',
    type: 'l.type',
    name: 'l.name',
    about: 'l.repository',
    trust: 'k.trust',
  },
  creator: {
    from: 'best JOIN creator c ON c.subject_id = best.subject_id AND c.merged_into IS NULL',
    type: "'creator'",
    name: 'coalesce(c.display_name, c.handle)',
    about: "c.host || ':' || c.handle",
    trust: 'NULL::float8',
  },
  artifact: {
    from: 'best JOIN artifact a ON a.subject_id = best.subject_id JOIN listing l ON l.subject_id = a.listing_id',
    type: 'a.type',
    name: 'a.name',
    about: 'l.repository',
    trust: 'NULL::float8',
  },
};

/** The order of a group: whose name it is, then whose name begins so, then the rest; the popular and trusted first. */
export function orderOf({ name, trust }: Shown): string {
  return `best.class, best.weight DESC, ${trust} DESC NULLS LAST, length(${name}), lower(${name}), best.subject_id`;
}
