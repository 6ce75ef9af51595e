import { afterAll, beforeAll, it } from 'vitest';
import { fewerUnlessNightly } from '../server/testing/nightly.ts';
import { expectDocumentedAnswers } from './generated-input/expect-documented-answers.ts';
import { type KnownWorld, LENGTH, openKnownWorld, SEED } from './generated-input/known-world.ts';
import { OPERATION_INPUTS } from './generated-input/operation-inputs.ts';

const RUNS = fewerUnlessNightly(15, 75) * LENGTH;

let knowing: KnownWorld;
beforeAll(async () => {
  knowing = await openKnownWorld();
});
afterAll(() => knowing?.world.stop());

it.each(OPERATION_INPUTS.map((inputs) => [inputs.operation.operationId, inputs] as const))(
  `%s answers whatever the contract allows as documented, and never fails (seed ${SEED})`,
  (_name, inputs) => expectDocumentedAnswers(knowing, inputs, RUNS),
);
