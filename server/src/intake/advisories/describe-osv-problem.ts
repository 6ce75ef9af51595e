import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { packageFile } from '../../platform/package-files.ts';

let validator: ValidateFunction | null = null;

/** Compiles the published schema once, at the first record: most imports have none. */
function validatorOf(): ValidateFunction {
  if (validator === null) {
    const schema = JSON.parse(readFileSync(packageFile('schemas/osv.schema.json'), 'utf8')) as object;
    // Reports the first violation only. Formats are left to the parser, which reads times itself.
    validator = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
  }
  return validator;
}

/** Returns how a record breaks the published schema of OSV, in one short sentence; null if it follows the schema. */
export function describeSchemaProblem(record: { readonly id: string }): string | null {
  const { id } = record;
  const validate = validatorOf();
  if (validate(record)) return null;
  const [error] = validate.errors ?? [];
  return error ? sentenceOf(error, id) : null;
}

function sentenceOf({ instancePath, keyword, params, message }: ErrorObject, id: string): string {
  if (instancePath === '/id') {
    const [prefix = ''] = /^[A-Za-z_]*-?/.exec(id) ?? [];
    return `id: the prefix ${prefix} is not registered in the published schema`;
  }
  // Indexes are left out, so that the same mistake in many records is counted as one.
  const place = instancePath
    .split('/')
    .filter((part) => part !== '' && !/^\d+$/.test(part))
    .join('.');
  if (keyword === 'required')
    return `${[place, params.missingProperty].filter(Boolean).join('.')}: is missing`;
  return `${place || 'record'}: ${message ?? keyword}`.slice(0, 200);
}
