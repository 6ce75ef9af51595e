import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ACCOUNT_VECTORS, accountFacts } from '../../../testing/scoring/account-vectors.ts';
import * as arbitrary from '../../../testing/scoring/arbitrary-facts.ts';
import { CREATOR_VECTORS, creatorFacts } from '../../../testing/scoring/creator-vectors.ts';
import { GOLDEN_VECTORS, repositoryFacts, scoreRequest } from '../../../testing/scoring/golden-vectors.ts';
import { embeddedBackend } from '../embedded/embedded-backend.ts';
import type { Facts } from '../fact-types.ts';
import { SUBJECT_TYPES, type SubjectType } from '../subject-type.ts';

const contract = parse(readFileSync(new URL('../../../../openapi.yaml', import.meta.url), 'utf8'));
const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
addFormats.default(ajv);
ajv.addVocabulary(Object.keys(contract));
ajv.addSchema(contract, 'contract', undefined, false);

const { requestBody, responses } = contract.webhooks.scoreSubject.post;
const request = schemaOf(requestBody);
const answer = schemaOf(responses['200']);

/** Returns the validator of a body that the webhook refers to. */
function schemaOf({ $ref }: { $ref: string }): ValidateFunction {
  const path = `${$ref}/content/application~1json/schema`;
  const validate = ajv.getSchema(`contract${path}`);
  if (!validate) throw new Error(`${path} is not in the contract`);
  return validate;
}

/** Returns the schema errors of a value after a round trip through JSON. */
function errorsOf(validate: ValidateFunction, value: unknown): unknown[] {
  validate(JSON.parse(JSON.stringify(value)));
  return validate.errors ?? [];
}

interface Kind {
  types: SubjectType[];
  nothing: Facts;
  vectors: readonly { facts: Facts }[];
  any: fc.Arbitrary<Facts>;
}

const repository: Omit<Kind, 'types'> = {
  nothing: repositoryFacts(),
  vectors: GOLDEN_VECTORS,
  any: arbitrary.repositoryFacts,
};
const kinds: Kind[] = [
  { types: ['agent', 'skill'], ...repository },
  { types: ['creator'], nothing: creatorFacts(), vectors: CREATOR_VECTORS, any: arbitrary.creatorFacts },
  {
    types: ['social_account', 'messaging_account'],
    nothing: accountFacts('bot'),
    vectors: ACCOUNT_VECTORS,
    any: arbitrary.accountFacts,
  },
];
const cases = kinds.flatMap(({ types, ...kind }) => types.map((type) => ({ type, types, ...kind })));

it('covers all five types', () => {
  expect(cases.map(({ type }) => type)).toEqual(SUBJECT_TYPES);
});

describe.each(cases)('the contract of a scoring backend, for the type $type', ({ type, types, ...kind }) => {
  it('holds for what is asked and what the embedded method answers, vectors and bare subjects alike', async () => {
    for (const facts of [kind.nothing, ...kind.vectors.map((vector) => vector.facts)]) {
      const asked = { ...scoreRequest(facts, type), runId: '01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47' };

      const answered = await embeddedBackend.score(asked, AbortSignal.timeout(1_000));

      expect(errorsOf(request, asked)).toEqual([]);
      expect(errorsOf(answer, answered)).toEqual([]);
    }
  });

  it('holds for any facts', async () => {
    await fc.assert(
      fc.asyncProperty(kind.any, async (facts) => {
        const asked = scoreRequest(facts, type);

        expect(errorsOf(request, asked)).toEqual([]);
        expect(errorsOf(answer, await embeddedBackend.score(asked, AbortSignal.timeout(1_000)))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('refuses facts of another kind, and facts with a member left out', () => {
    const others = kinds.filter((other) => !other.types.includes(type)).map((other) => other.nothing);
    const shortened = Object.keys(kind.nothing).map((member) => ({ ...kind.nothing, [member]: undefined }));

    for (const facts of [...others, ...shortened, {}]) {
      expect(errorsOf(request, { ...scoreRequest(kind.nothing, type), facts })).not.toEqual([]);
    }
  });
});
