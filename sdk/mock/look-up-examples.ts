import type { SubjectLookup, SubjectLookups } from '../../server/src/generated/types.gen.ts';
import type { Prism } from './prism.ts';

/**
 * Answers each of many subjects, in the order of the request: with its own example if there is one, otherwise with the
 * example of a subject that was found. So clients can compare answers with what they sent.
 */
export function lookupOfExamples(
  prism: Prism,
  operationId: string,
  subjects: readonly { readonly subject: string }[],
): SubjectLookups {
  const bodies = [...prism.answerExamples(operationId, 200).values()] as SubjectLookups[];
  const examples = bodies.flatMap(({ data }) => data);
  const found = examples.find(({ status, package: named }) => status === 'found' && named === null);
  if (found === undefined) throw new Error('the contract has an example of a subject that was found');
  const answerOf = (subject: string): SubjectLookup =>
    examples.find((example) => example.subject === subject) ?? { ...found, subject };
  return { data: subjects.map(({ subject }) => answerOf(subject)) };
}
