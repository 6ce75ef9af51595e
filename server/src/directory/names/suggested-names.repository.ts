import type { Connection } from '../../database/connect.ts';
import type { Naming } from '../../subjects/naming.ts';
import type { PathParts } from '../../subjects/public-path.ts';
import type { Named } from './listed-names.sql.ts';
import { SUGGESTED } from './suggested-names.sql.ts';

/** A subject whose name begins with a text, with what the path of its page is made of. */
export interface SuggestedSubject extends PathParts {
  group: Named;
  /** As it is shown. */
  text: string;
  /** The repository of a listing or artifact, `host:handle` of a creator. */
  about: string;
}

/** A tag that begins with a text. */
export interface SuggestedTag {
  group: 'tag';
  text: string;
}

/** What begins with a text, as a name and as a tag is spelt, best first within each group. */
export function findSuggested(
  connection: Connection,
  { key, tag }: { key: string; tag: string },
  { hosts }: Naming,
): Promise<(SuggestedSubject | SuggestedTag)[]> {
  return connection.query(SUGGESTED, [key, tag, hosts]);
}
