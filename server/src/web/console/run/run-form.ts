import { createHash } from 'node:crypto';
import { OPERATIONS, type Operation } from '../../../access/plans/plans.ts';
import type { OperationRequest } from '../../../operations/operation-call.ts';
import { isPlainText, ProblemList, type Problems, readLine } from '../frame/console-response.ts';
import { readFormId } from '../frame/fields.tsx';

/** Metered call, as submitted by the form. */
export interface RunForm {
  operation: Operation;
  subject: string;
  /** Unique id of each rendered form, so that a form sent twice is one call. */
  formId: string;
  /** True if only the price was requested. */
  priceOnly: boolean;
}

/** Name of the submit buttons. */
export const ACTION_FIELD = 'do';

/** Maximum length of a subject, the same as in the contract. */
const MAX_SUBJECT_LENGTH = 300;

/** Reads the URL's query or a submitted form; an unknown operation is replaced by the first one. */
export function readRunForm(given: URLSearchParams): RunForm {
  return {
    operation: OPERATIONS.find((operation) => operation === given.get('operation')) ?? OPERATIONS[0],
    subject: readLine(given, 'subject'),
    formId: readFormId(given),
    priceOnly: given.get(ACTION_FIELD) === 'price',
  };
}

/** Validates a form without database access. */
export function checkRunForm({ subject }: RunForm): Problems {
  const list = new ProblemList();
  list.require(subject !== '', 'subject', 'Enter what to score: a name, owner/repository, address or id.');
  list.require(
    subject.length <= MAX_SUBJECT_LENGTH && isPlainText(subject),
    'subject',
    `The subject must be 1 to ${MAX_SUBJECT_LENGTH} printable characters.`,
  );
  return list.problems;
}

/**
 * Converts a form to a call. The idempotency key is derived from the form's id, operation and subject. So sending the
 * form twice charges once, and a changed form is a new call.
 */
export function toOperationRequest({ operation, subject, formId, priceOnly }: RunForm): OperationRequest {
  const asked = createHash('sha256')
    .update(JSON.stringify([formId, operation, subject]))
    .digest('hex');
  return {
    operation,
    subject,
    channel: 'api',
    idempotencyKey: `console-${asked.slice(0, 32)}`,
    apiKeyId: null,
    dryRun: priceOnly,
  };
}
