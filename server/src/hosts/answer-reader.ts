import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import { HostFailure } from './host-failure.ts';

// Ajv takes NaN and the infinities for no numbers. Members that a schema does not name are ignored: hosts add some.
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });

/** Makes a reader of one kind of JSON answer: it gives the value where it has the shape, else a HostFailure `unusable`. */
export function answerReader<Answer>(schema: AnySchemaObject): (body: string, host: string) => Answer {
  const isAnswer = ajv.compile(schema);
  return (body, host) => {
    const value = parse(body);
    if (!isAnswer(value)) {
      throw new HostFailure('unusable', `${host} answered in a form that it does not document.`);
    }
    return value as Answer;
  };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Schema of a member that may be absent or null. */
export const optional = (type: 'string' | 'number' | 'boolean') => ({ type: [type, 'null'] });
/** Schema of a list of texts that may be absent or null. */
export const OPTIONAL_TEXTS = { type: ['array', 'null'], items: { type: 'string' } };
/** Schema of an id: hosts number things, or name them. */
export const ID = {
  anyOf: [
    { type: 'integer', minimum: 0 },
    { type: 'string', minLength: 1, maxLength: 200 },
  ],
};
