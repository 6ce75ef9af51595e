import type { SubjectRecord } from '../contract/models.ts';
import type { QueryOf } from '../contract/wire.ts';
import { ConfigurationError, type Trace } from '../errors/errors.ts';
import type { ApiPromise, Call } from '../transport/call.ts';
import type { CallOptions } from '../transport/settings.ts';

/** Narrows a look-up: `type` leaves out subjects of any other type. */
export type LookupQuery = Omit<QueryOf<'get', '/api/subjects'>, 'subject'>;

/** Stored records of everything that has a score, free of charge. Reads need no key. */
export interface Subjects {
  /**
   * The one subject that a name, handle, repository, package, URL or id leads to, with its stored score. Rejects with a
   * `NotFoundError`, a `GoneError` for what was delisted, or a `ConflictError` with the `candidates` that it could mean.
   *
   * @example
   * const { trustScore, confidence } = await client.subjects.lookup('npm:@upstash/context7-mcp');
   */
  lookup(subject: string, query?: LookupQuery, options?: CallOptions): ApiPromise<SubjectRecord>;
  /**
   * The subject with this canonical id.
   *
   * @example
   * const { name, public_path } = await client.subjects.get('b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88');
   */
  get(canonicalId: string, options?: CallOptions): ApiPromise<SubjectRecord>;
}

/** The input of a look-up. Refuses a second subject in the query, which would be overwritten unseen. */
export const lookupInput = (subject: string, query: LookupQuery | undefined) => (trace: Trace) => {
  if (Object(query).subject !== undefined)
    throw new ConfigurationError('subject: give it once, before the query.', trace);
  return { query: { ...query, subject } };
};

/** Binds them to a client. */
export const subjectsOf = (call: Call): Subjects => ({
  lookup: (subject, query, options) =>
    call('get', '/api/subjects', 'canonical_id', lookupInput(subject, query), options),
  get: (id, options) => call('get', '/api/subjects/{canonical_id}', 'canonical_id', { path: id }, options),
});
