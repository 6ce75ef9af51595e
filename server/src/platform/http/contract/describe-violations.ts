import type { FastifySchemaValidationError } from 'fastify';
import { NAME_RULE, printable } from '../../text/request-text.ts';
import { NAME, NOT_BLANK, SUBJECT } from './validation.ts';

const TEXT = '[^\\u0000-\\u001F\\u007F-\\u009F]';
const UUID = 'must be a UUID, such as 01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47';
const BLANK = 'must not be blank, and must have no control characters';
/** Descriptions of the contract's patterns. A pattern without a description is shown itself. */
export const PATTERN_WORDS: Readonly<Record<string, string>> = {
  [NAME]: `needs ${NAME_RULE}`,
  [`^${TEXT}+$`]: 'must have no control characters',
  [`^${TEXT}*$`]: 'must have no control characters',
  [NOT_BLANK]: BLANK,
  '^': 'must be a text',
  [SUBJECT]: `${BLANK}, and at most 512 characters`,
  '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$': UUID,
  '^AGT-[0-9A-Za-z]{8}$': 'must be AGT- and eight letters or digits, such as AGT-7K2MQ9XD',
  '^(?:[A-Za-z0-9.-]{1,253}:)?@?[A-Za-z0-9._~{}-]{1,401}$':
    'must look like @google-gemini or gitlab.com:example-labs',
  '^@?[A-Za-z0-9._~-]+$':
    'must be letters, digits, dots, hyphens, underscores and tildes, and may start with @',
  '^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?$':
    'must be 1 to 100 letters, digits, dots, hyphens and underscores, and must begin and end with a letter or digit',
  '^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$': 'must be the name of a host, such as github.com',
  '^2[0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$': 'must be a day, such as 2026-11-21',
  '^(?:listing|score|verdict|advisory|removal|standing)(?:,(?:listing|score|verdict|advisory|removal|standing))*$':
    'must be one or more of listing, score, verdict, advisory, removal, standing, separated by commas',
  '^2[0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.][0-9]{1,6})?Z$':
    'must be a time in UTC, such as 2026-11-20T09:14:03.482915Z',
  '^[A-Za-z0-9_-]+$': 'must be a cursor from the previous page',
  '^(?:npm:|pypi:|pkg:npm/|pkg:pypi/)[!-~]+$':
    'must be npm:name, npm:name@1.2.3, pypi:name, pypi:name==1.2.3 or a package URL such as pkg:npm/%40scope/name@1.2.3',
  '^(?:type|verified|tier|category|kind|license|tag|verdict)(?:,(?:type|verified|tier|category|kind|license|tag|verdict))*$':
    'must be one or more of type, verified, tier, category, kind, license, tag and verdict, separated by commas',
  '^[!-~]+$': 'must be printable ASCII characters without spaces',
  '^[\\t -~\\u0080-\\u00FF]*$': 'must be printable Latin-1 characters',
  '^[a-z0-9-]+$': 'must be lower-case letters, digits and hyphens',
  '^[!-~]{1,255}$': 'must be 1 to 255 printable ASCII characters without spaces',
};
const FORMAT_WORDS: Readonly<Record<string, string>> = {
  uuid: UUID,
  'date-time': 'must be a moment, such as 2026-11-21T09:30:00Z',
  uri: 'must be a web address, such as https://example.com/page',
};

function pathOf(error: FastifySchemaValidationError): string {
  const place = error.instancePath.slice(1).replaceAll('/', '.');
  return place === '' ? 'The request' : place;
}

/** Describes a schema violation in a sentence: where it is, what is wrong, and what is allowed. */
export function describeViolation(error: FastifySchemaValidationError): string {
  const { params } = error;
  switch (error.keyword) {
    case 'required':
      return `${params.missingProperty} is required.`;
    case 'additionalProperties':
      return `Unknown field ${printable(String(params.additionalProperty))}.`;
    default:
      return `${pathOf(error)} ${ruleOf(error)}.`;
  }
}

function ruleOf({ keyword, params, message }: FastifySchemaValidationError): string {
  const { limit } = params;
  switch (keyword) {
    case 'enum':
      return `must be one of: ${(params.allowedValues as unknown[]).join(', ')}`;
    case 'type':
      return `must be of type ${[params.type].flat().join(' or ')}`;
    case 'pattern':
      return PATTERN_WORDS[String(params.pattern)] ?? `must match ${params.pattern}`;
    case 'format':
      return FORMAT_WORDS[String(params.format)] ?? `must be of the format ${params.format}`;
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`;
    case 'maxLength':
      return `must have at most ${limit} characters`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'minItems':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} entries`;
    case 'maxItems':
      return `must have at most ${limit} entries`;
    case 'uniqueItems':
      return 'must not have the same entry twice';
    default:
      return message ?? 'is not as documented';
  }
}

const MOST_TOLD = 5;

/** Describes the first five violations of a request and counts the remaining ones. */
export function describeViolations(errors: FastifySchemaValidationError[]): string {
  const empty = new Set(errors.filter(({ keyword }) => keyword === 'minLength').map(pathOf));
  // Omits pattern violations of an empty text, because "must not be empty" is enough.
  const told = errors.filter((error) => error.keyword !== 'pattern' || !empty.has(pathOf(error)));
  const sentences = [...new Set(told.map(describeViolation))];
  const more = sentences.length - MOST_TOLD;
  const rest = more > 0 ? [`And ${more} more ${more === 1 ? 'problem' : 'problems'}.`] : [];
  return [...sentences.slice(0, MOST_TOLD), ...rest].join(' ');
}
