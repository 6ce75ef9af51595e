import type { SubjectLookup, SubjectLookups } from '../../server/src/generated/types.gen.ts';
import type { Prism } from './prism.ts';

/**
 * Answers each of many subjects, in the order of the request, so that clients can match answers to subjects. A subject
 * with an example of its own gets this example; any other gets the example of a subject that was found.
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
