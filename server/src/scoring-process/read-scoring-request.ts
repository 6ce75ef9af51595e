import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Contract } from '../http/contract/contract.ts';
import { describeViolations } from '../http/contract/describe-violations.ts';
import type { ScoreRequest } from '../scoring/scoring-backend.ts';
import { SUBJECT_TYPES } from '../subjects/subject-type.ts';

/** A request that the contract does not know; the message says what does not fit. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
}

/** Reads a parsed body as a scoring request. Throws RequestRefused. */
export type ReadScoringRequest = (body: unknown) => ScoreRequest;

/** Makes the reader of scoring requests by the contract's webhook `scoreSubject`: each type with facts of its own kind. */
export function createRequestReader(contract: Contract): ReadScoringRequest {
  const kinds = compileKinds(contract);
  return (body) => {
    const problems = kinds.map((validate) => (validate(body) ? [] : (validate.errors ?? [])));
    if (problems.every((errors) => errors.length > 0)) throw new RequestRefused(describe(problems));
    const request = body as Omit<ScoreRequest, 'now'> & { now: string };
    const now = new Date(request.now);
    if (Number.isNaN(now.getTime())) throw new RequestRefused('now is in no calendar.');
    return { ...request, now };
  };
}

interface Schemas {
  components: { schemas: { ScoringRequest: { oneOf: { $ref: string }[] } } };
}

function compileKinds({ document }: Contract): ValidateFunction[] {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addVocabulary(Object.keys(document));
  ajv.addSchema(document, 'contract', undefined, false);
  const { oneOf } = (document as unknown as Schemas).components.schemas.ScoringRequest;
  return oneOf.map(({ $ref }) => ajv.compile({ $ref: `contract${$ref}` }));
}

/** Which kind was meant is told by the type of the subject; of an unknown type, that is all there is to tell. */
function describe(problems: readonly ErrorObject[][]): string {
  const meant = problems.find((errors) => errors.every(({ instancePath }) => instancePath !== TYPE));
  if (meant !== undefined) return describeViolations(meant);
  return `subject.type must be one of: ${SUBJECT_TYPES.join(', ')}.`;
}

const TYPE = '/subject/type';
