import type { QueryOf } from '../contract/endpoint-types.ts';
import type { SubjectRecord } from '../contract/models.ts';
import type { ApiPromise, Call } from '../transport/call.ts';
import type { CallOptions } from '../transport/client-options.ts';

/** Filter of a look-up: `type` excludes subjects of other types. */
export type LookupQuery = Omit<QueryOf<'get', '/api/subjects'>, 'subject'>;

/** Methods that read the stored record of anything that has a score. They are free and need no key. */
export interface Subjects {
  /**
   * Finds the subject of a name, handle, repository, package, URL or id, with its stored score. Rejects with a
   * `NotFoundError`, a `GoneError` for a delisted subject, or a `ConflictError` with the `candidates` of an ambiguous name.
   *
   * @example
   * const { trustScore, confidence } = await client.subjects.lookup('npm:@upstash/context7-mcp');
   */
  lookup(subject: string, query?: LookupQuery, options?: CallOptions): ApiPromise<SubjectRecord>;
  /**
   * Reads a subject by canonical id.
   *
   * @example
   * const { name, public_path } = await client.subjects.get('b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88');
   */
  get(canonicalId: string, options?: CallOptions): ApiPromise<SubjectRecord>;
}

/** Path of a look-up: unlike other values of a query, its subject must not be empty. */
export const LOOKUP = '/api/subjects?subject={subject}' as '/api/subjects';

/** Builds the input of a look-up. A second subject in the query is an error, because it would be overwritten silently. */
export const lookupInput = (subject: string, query: LookupQuery | undefined) => ({
  path: subject,
  query: query as QueryOf<'get', '/api/subjects'>,
  refusal: Object(query).subject !== undefined && 'subject must not be in the query.',
});

/** Creates the methods for a client. */
export const subjectsOf = (call: Call): Subjects => ({
  lookup: (subject, query, options) =>
    call('get', LOOKUP, 'canonical_id', lookupInput(subject, query), options),
  get: (id, options) => call('get', '/api/subjects/{canonical_id}', 'canonical_id', { path: id }, options),
});
