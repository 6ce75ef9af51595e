import type { Connection } from '../../platform/database/connect.ts';

/** Fields of a listing that a measurement of scoring methods needs. */
export interface MeasuredListing {
  readonly id: string;
  readonly kind: string;
  readonly host: string;
  readonly repository: string;
  readonly npmPackage: string | null;
  readonly pypiPackage: string | null;
  readonly starsKnown: boolean;
  /** Source lists that name the listing, each once. */
  readonly lists: readonly string[];
  /** Source list that the description was taken from; null if it is not recorded. */
  readonly descriptionList: string | null;
}

// Raw SQL: the lists are members of the JSON column `imported`. A listing without imported data has only its own source.
const LISTINGS = `
SELECT l.subject_id AS id, l.kind, l.host, l.repository, l.npm_package AS "npmPackage", l.pypi_package AS "pypiPackage",
  l.stars IS NOT NULL AS "starsKnown", l.imported ->> 'descriptionSource' AS "descriptionList",
  CASE WHEN jsonb_typeof(l.imported -> 'sources') = 'array'
    THEN ARRAY(SELECT DISTINCT jsonb_array_elements_text(l.imported -> 'sources') ORDER BY 1) ELSE ARRAY[l.source] END AS lists
FROM listing l ORDER BY l.subject_id`;

/** Loads all listings of the directory, in id order. Delisted ones are not among them. */
export function loadMeasuredListings(connection: Connection): Promise<MeasuredListing[]> {
  return connection.query<MeasuredListing>(LISTINGS);
}
