import { createHash, randomUUID } from 'node:crypto';
import type { OperationRequest } from '../../operations/operation-call.ts';
import { OPERATIONS, type Operation } from '../../plans/plans.ts';
import { isPlainText, lineOf, ProblemList, type Problems } from '../frame/problems.ts';

/** A call as the form says it. */
export interface RunForm {
  operation: Operation;
  subject: string;
  /** One for each form that is shown: sent twice it is one call. */
  formId: string;
  /** Asked for its price alone. */
  priceOnly: boolean;
}

/** The field of the button that was pressed. */
export const DO_FIELD = 'do';

/** As the contract has it. */
const LONGEST_SUBJECT = 300;
const FORM_ID = /^[0-9a-f-]{36}$/;

/** What an address or a form says; an operation that is none is the first. */
export function readRunForm(given: URLSearchParams): RunForm {
  const formId = given.get('form_id') ?? '';
  return {
    operation: OPERATIONS.find((operation) => operation === given.get('operation')) ?? OPERATIONS[0],
    subject: lineOf(given, 'subject'),
    formId: FORM_ID.test(formId) ? formId : randomUUID(),
    priceOnly: given.get(DO_FIELD) === 'price',
  };
}

/** What can be told of a form without asking the database. */
export function checkRunForm({ subject }: RunForm): Problems {
  const list = new ProblemList();
  list.require(subject !== '', 'subject', 'Enter what to score: a name, owner/repository, address or id.');
  list.require(
    subject.length <= LONGEST_SUBJECT && isPlainText(subject),
    'subject',
    `The subject must be 1 to ${LONGEST_SUBJECT} printable characters.`,
  );
  return list.problems;
}

/**
 * The call of a form. Its idempotency key is made of all that it asks: what is sent twice is charged once, and a form that
 * was changed and sent again is another call.
 */
export function requestOf({ operation, subject, formId, priceOnly }: RunForm): OperationRequest {
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
