import { OPERATIONS, type Operation } from '../access/plans/plans.ts';
import type { FoundSubject } from '../catalog/subjects/found-subject.fragment.ts';
import type { PublicUrls } from '../catalog/subjects/public-path.ts';
import { type ResolvedSubject, requireOneSubject } from '../catalog/subjects/resolve-subject.ts';
import type { Connection } from '../platform/database/connect.ts';
import { DomainError } from '../platform/errors/domain-error.ts';
import type { OperationRequest } from './operation-call.ts';
import { METERED_OPERATIONS } from './operation-call.ts';

/**
 * Returns the only subject that matches, of those found. Throws subject_not_found, which names the right operation if
 * the text matches a subject of another type; subject_delisted with the operator's reason; subject_ambiguous with the
 * candidates.
 */
export async function requireSubject(
  connection: Connection,
  { operation, subject: text }: OperationRequest,
  publicUrls: PublicUrls,
  found: readonly FoundSubject[],
): Promise<ResolvedSubject> {
  const { subjectTypes } = METERED_OPERATIONS[operation];
  try {
    return await requireOneSubject(connection, subjectTypes, text.trim(), publicUrls, found);
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
