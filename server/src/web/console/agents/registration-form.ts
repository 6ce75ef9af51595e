import { createHash, randomUUID } from 'node:crypto';
import { CATEGORIES, type Category, type ListedType } from '../../../catalog/listings/listing-row.ts';
import { isValidName, NAME_RULE } from '../../../platform/text/request-text.ts';
import { isPlainText, ProblemList, type Problems, readFormId, readLine } from '../frame/fields.tsx';

/** Registration form as submitted, not necessarily valid. */
export interface RegistrationForm {
  repoHostUrl: string;
  /** Empty: an existing listing keeps its type, and a new one becomes an agent. */
  type: string;
  name: string;
  description: string;
  category: string;
  /** Tags, separated by commas. */
  tags: string;
  parentId: string;
  /** Unique id of each rendered form, so that a form sent twice is one registration. */
  formId: string;
}

export function emptyRegistration(): RegistrationForm {
  return {
    repoHostUrl: '',
    type: 'agent',
    name: '',
    description: '',
    category: '',
    tags: '',
    parentId: '',
    formId: randomUUID(),
  };
}

const TYPES: readonly ListedType[] = ['agent', 'skill'];
/** Matches the `AGT-` id of a listing, case-insensitively. */
export const AGENT_ID = /^AGT-[0-9A-Z]{8}$/i;
/** Maximum tags of a listing. */
export const MAX_TAGS = 8;
/** Maximum characters of a description. */
export const MAX_DESCRIPTION_LENGTH = 280;

/** Reads a submitted form; every field becomes a single line. */
export function readRegistrationForm(form: URLSearchParams): RegistrationForm {
  const said = (field: keyof RegistrationForm) => readLine(form, field);
  return {
    repoHostUrl: said('repoHostUrl'),
    type: said('type'),
    name: said('name'),
    description: said('description'),
    category: said('category'),
    tags: said('tags'),
    parentId: said('parentId'),
    formId: readFormId(form),
  };
}

/**
 * Converts a valid form to a registration. The idempotency key is a hash of all fields, including the form's id. So the
 * same form sent twice is one registration, and a changed form is another one.
 */
export function toRegistration(form: RegistrationForm) {
  const said = createHash('sha256').update(JSON.stringify(form)).digest('hex');
  return {
    idempotencyKey: `console-${said.slice(0, 32)}`,
    repoHostUrl: form.repoHostUrl,
    name: form.name,
    description: form.description,
    category: form.category as Category,
    tags: tagsOf(form),
    type: TYPES.find((type) => type === form.type) ?? null,
    parentId: form.parentId === '' ? null : form.parentId.toUpperCase(),
  };
}

function tagsOf({ tags }: RegistrationForm): string[] {
  return [...new Set(tags.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '');
}

/** Validates the fields of a form without database access; `registerAgent` checks the rest. */
export function checkRegistration(form: RegistrationForm): Problems {
  const { repoHostUrl, name, description, category, parentId } = form;
  const tags = tagsOf(form);
  const list = new ProblemList();
  list.require(repoHostUrl !== '', 'repoHostUrl', 'Enter the address of the repository.');
  list.require(
    repoHostUrl.length <= 512 && /^[!-~]*$/.test(repoHostUrl),
    'repoHostUrl',
    'The address must be at most 512 characters, without spaces.',
  );
  list.require((CATEGORIES as readonly string[]).includes(category), 'category', 'Choose a category.');
  list.require(name !== '', 'name', 'Enter a name.');
  list.require(
    name.length <= 100 && isPlainText(name) && (name === '' || isValidName(name)),
    'name',
    `The name must be 1 to 100 printable characters, with ${NAME_RULE}.`,
  );
  list.require(description !== '', 'description', 'Describe in a sentence what it does.');
  list.require(
    description.length <= MAX_DESCRIPTION_LENGTH && isPlainText(description),
    'description',
    `The description must be at most ${MAX_DESCRIPTION_LENGTH} printable characters; you entered ${description.length}.`,
  );
  list.require(
    tags.length <= MAX_TAGS,
    'tags',
    `Enter at most ${MAX_TAGS} tags; you entered ${tags.length}.`,
  );
  list.require(
    tags.every((tag) => tag.length <= 50 && isPlainText(tag) && isValidName(tag)),
    'tags',
    `A tag must be 1 to 50 printable characters, with ${NAME_RULE}.`,
  );
  list.require(
    parentId === '' || AGENT_ID.test(parentId),
    'parentId',
    'The parent must be an id: AGT- and eight letters or digits.',
  );
  return list.problems;
}
