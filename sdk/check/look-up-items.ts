import type { CallOptions, PackageReport, SubjectRecord, TrustDirectory } from '../src/index.ts';
import type { CheckItem } from './item.ts';

/** Answer about a subject, from the directory or from a snapshot. */
export interface LookupAnswer {
  readonly subject: string;
  readonly status:
    | 'found'
    | 'not_found'
    | 'ambiguous'
    | 'removed'
    | 'invalid'
    | (string & Record<never, never>);
  readonly record: SubjectRecord | null;
  readonly package: PackageReport | null;
  readonly message?: string | undefined;
}

/** Answer, or the reason why there is none. */
export type LookupResult = LookupAnswer | { readonly subject: string; readonly failure: unknown };

/** Looks up each subject once, in any order. Returns failed look-ups as results; rejects only after Ctrl-C. */
export type LookUp = (subjects: readonly string[]) => Promise<ReadonlyMap<string, LookupResult>>;

/** Maximum subjects per request, and maximum concurrent requests. */
const BATCH = 100;
const AT_ONCE = 4;
/** Maximum length of a subject. Longer texts are not sent, because the service would reject the whole batch. */
const MAX_LENGTH = 512;

/** Creates a look-up that queries the service. It sends only the subjects. */
export function lookUpOnline(client: TrustDirectory, options: CallOptions & { signal: AbortSignal }): LookUp {
  return async (subjects) => {
    const results = new Map<string, LookupResult>();
    const sent = [...new Set(subjects)].filter((subject) => {
      if (subject.length <= MAX_LENGTH) return true;
      results.set(subject, {
        subject,
        status: 'invalid',
        record: null,
        package: null,
        message: 'The name is too long.',
      });
      return false;
    });
    const batches = Array.from({ length: Math.ceil(sent.length / BATCH) }, (_, index) =>
      sent.slice(index * BATCH, (index + 1) * BATCH),
    ).values();
    const worker = async () => {
      for (const batch of batches) await lookUpBatch(client, batch, results, options);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    return results;
  };
}

async function lookUpBatch(
  client: TrustDirectory,
  batch: readonly string[],
  results: Map<string, LookupResult>,
  options: CallOptions & { signal: AbortSignal },
): Promise<void> {
  try {
    const { data } = await client.subjects.lookupMany(batch, options);
    for (const [index, subject] of batch.entries()) {
      const answer = data[index];
      // Answers come in the order of the request. Reject an answer about another subject: it must never decide about
      // this one.
      const isFit = answer?.subject === subject && typeof answer.status === 'string';
      results.set(
        subject,
        isFit ? answer : { subject, failure: new Error('The service did not answer this subject.') },
      );
    }
  } catch (failure) {
    if (options.signal.aborted) throw failure;
    for (const subject of batch) results.set(subject, { subject, failure });
  }
}

/** Returns the distinct subjects to look up. */
export function subjectsOf(items: readonly CheckItem[]): string[] {
  return [...new Set(items.flatMap(({ subject }) => subject ?? []))];
}
