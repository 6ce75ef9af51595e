import type { BodyOf, QueryOf } from '../contract/endpoint-types.ts';
import type { SubjectLookups, SubjectRecord } from '../contract/models.ts';
import type { ApiPromise, Call } from '../transport/call.ts';
import type { CallOptions } from '../transport/client-options.ts';

/** Filter of a look-up: `type` excludes subjects of other types. */
export type LookupQuery = Omit<QueryOf<'get', '/api/subjects'>, 'subject'>;

type LookupRequest = BodyOf<'post', '/api/subjects/lookup'>['subjects'][number];

/** One subject to look up: a text, or a text with the required type of the subject. */
export type LookupItem = string | LookupRequest;

/** Methods that read the stored records of subjects that have a score. They are free and need no key. */
export interface Subjects {
  /**
   * Finds the subject of a name, handle, repository, package, URL or id, with its stored score. Rejects with a
   * `NotFoundError`, a `GoneError` for a delisted subject, or a `ConflictError` with the `candidates` of an ambiguous
   * name.
   *
   * @example
   * const { trustScore, confidence } = await client.subjects.lookup('npm:@upstash/context7-mcp');
   */
  lookup(subject: string, query?: LookupQuery, options?: CallOptions): ApiPromise<SubjectRecord>;
  /**
   * Looks up 1 to 100 subjects, such as the packages of a lock file. Resolves to one result for each, in the order of
   * `subjects`. For an unknown, ambiguous, removed or invalid subject, the record is null and `status` says why; the
   * call does not reject.
   *
   * @example
   * const { data } = await client.subjects.lookupMany(['npm:mcp-remote@0.1.15', 'pypi:mcp==1.9.4']);
   */
  lookupMany(subjects: readonly LookupItem[], options?: CallOptions): ApiPromise<SubjectLookups>;
  /**
   * Reads a subject by canonical id.
   *
   * @example
   * const { name, public_path } = await client.subjects.get('b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88');
   */
  get(canonicalId: string, options?: CallOptions): ApiPromise<SubjectRecord>;
}

/** Path of a look-up. The query parameter is written like a path parameter, so that it must not be empty. */
export const LOOKUP = '/api/subjects&subject={subject}' as '/api/subjects';

/**
 * Builds the input of a look-up. Refuses a query that also contains a subject, because it would be overwritten
 * silently.
 */
export const lookupInput = (subject: string, query: LookupQuery | undefined) => ({
  path: subject,
  query: query as QueryOf<'get', '/api/subjects'>,
  refusal: Object(query).subject !== undefined && 'subject must not be in the query.',
});

/** Builds the input of a look-up of several subjects. */
export const lookupManyInput = (subjects: readonly LookupItem[]) => ({
  // An item without the member `subject` is a plain text.
  body: {
    subjects: [subjects]
      .flat()
      .map((item) => ((item as LookupRequest)?.subject ? item : { subject: item })) as LookupRequest[],
  },
});

/** Creates the methods for a client. */
export const subjectsOf = (call: Call): Subjects => ({
  lookup: (subject, query, options) =>
    call('get', LOOKUP, 'canonical_id', lookupInput(subject, query), options),
  lookupMany: (subjects, options) =>
    call('post', '/api/subjects/lookup', 'data', lookupManyInput(subjects), options),
  get: (id, options) => call('get', '/api/subjects/{canonical_id}', 'canonical_id', { path: id }, options),
});
