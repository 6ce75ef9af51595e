import { type DocumentedOperation, OPERATIONS } from '../answers/documented-answers.ts';
import { at } from '../contract-examples.ts';

/** A parameter of an operation; `schema` is a pointer into the contract. */
export interface InputParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: string;
}

/** Parameters and body of an operation. */
export interface OperationInputs {
  readonly operation: DocumentedOperation;
  readonly parameters: readonly InputParameter[];
  /** Schema of the JSON body; null if the operation has none. */
  readonly body: string | null;
}

/** Inputs of every operation of the contract. */
export const OPERATION_INPUTS: readonly OperationInputs[] = OPERATIONS.map((operation) => {
  const escaped = operation.path.replaceAll('~', '~0').replaceAll('/', '~1');
  const { node, pointer } = at(`#/paths/${escaped}/${operation.method.toLowerCase()}`);
  const parameters = ((node.parameters ?? []) as unknown[]).map((_parameter, index) => {
    const parameter = at(`${pointer}/parameters/${index}`);
    const { name, in: place, required = false } = parameter.node as unknown as InputParameter;
    return { name, in: place, required, schema: at(`${parameter.pointer}/schema`).pointer };
  });
  return { operation, parameters, body: node.requestBody ? bodySchema(`${pointer}/requestBody`) : null };
});

function bodySchema(holder: string): string {
  return at(`${at(holder).pointer}/content/application~1json/schema`).pointer;
}
