import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { OPERATIONS, type Operation } from '../plans/plans.ts';
import type { FoundSubject } from '../subjects/found-subject.condition.ts';
import type { Naming } from '../subjects/naming.ts';
import { type ResolvedSubject, theOneFound } from '../subjects/resolve-subject.ts';
import { METERED_OPERATIONS } from './metered-operation.ts';
import type { OperationRequest } from './operation-call.ts';

/**
 * The one subject that a call is about, of those that were found. Throws subject_not_found, which names the operation that
 * fits where the text means a subject of another type; subject_delisted with the operator's reason; subject_ambiguous with
 * the candidates.
 */
export async function requireSubject(
  connection: Connection,
  { operation, subject: text }: OperationRequest,
  naming: Naming,
  found: readonly FoundSubject[],
): Promise<ResolvedSubject> {
  const { subjectTypes } = METERED_OPERATIONS[operation];
  try {
    return await theOneFound(connection, subjectTypes, text.trim(), naming, found);
  } catch (error) {
    throw error instanceof DomainError ? inTermsOfOperations(error) : error;
  }
}

function inTermsOfOperations(error: DomainError): DomainError {
  const { code, message, details } = error;
  if (code === 'gone') return new DomainError('subject_delisted', `${message} Nothing was charged.`);
  const fitting = fittingOperation(details.otherType);
  return fitting === undefined
    ? error
    : new DomainError(code, `${message.replace(/\.$/, '')}: use ${fitting} for it.`, details);
}

function fittingOperation(type: string | undefined): Operation | undefined {
  return OPERATIONS.find((operation) => {
    const { subjectTypes, lineage } = METERED_OPERATIONS[operation];
    return !lineage && subjectTypes.some((each) => each === type);
  });
}
