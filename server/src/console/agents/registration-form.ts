import { CATEGORIES, type Category, type ListedType } from '../../registry/listings/listing-row.ts';
import { isShownName, SHOWN_NAME_RULE } from '../../subjects/shown-name.ts';
import { isPlainText, lineOf, ProblemList, type Problems } from '../frame/problems.ts';

/** A registration as its form says it, checked or not. */
export interface RegistrationForm {
  repoHostUrl: string;
  /** Empty: what it is listed as already, or an agent. */
  type: string;
  name: string;
  description: string;
  category: string;
  /** Separated by commas. */
  tags: string;
  parentId: string;
}

/** The form as it is first shown. */
export const EMPTY_REGISTRATION: RegistrationForm = {
  repoHostUrl: '',
  type: 'agent',
  name: '',
  description: '',
  category: '',
  tags: '',
  parentId: '',
};

const TYPES: readonly ListedType[] = ['agent', 'skill'];
/** A directory id in any case. */
export const AGENT_ID = /^AGT-[0-9A-Z]{8}$/i;
/** Of one listing. */
export const MOST_TAGS = 8;
/** The most that a description may have. */
export const DESCRIPTION_CHARACTERS = 280;

/** What a form that was sent says, each field as one line. */
export function readRegistrationForm(form: URLSearchParams): RegistrationForm {
  const said = (field: keyof RegistrationForm) => lineOf(form, field);
  return {
    repoHostUrl: said('repoHostUrl'),
    type: said('type'),
    name: said('name'),
    description: said('description'),
    category: said('category'),
    tags: said('tags'),
    parentId: said('parentId'),
  };
}

/** What a checked form asks for. */
export function registrationOf(form: RegistrationForm) {
  return {
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

/** What can be told of a form without asking the database; the same rules as the API's. */
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
    name.length <= 100 && isPlainText(name) && (name === '' || isShownName(name)),
    'name',
    `The name has at most 100 printable characters; it needs ${SHOWN_NAME_RULE}.`,
  );
  list.require(description !== '', 'description', 'Describe in a sentence what it does.');
  list.require(
    description.length <= DESCRIPTION_CHARACTERS && isPlainText(description),
    'description',
    `The description has at most ${DESCRIPTION_CHARACTERS} printable characters; these are ${description.length}.`,
  );
  list.require(tags.length <= MOST_TAGS, 'tags', `At most ${MOST_TAGS} tags; these are ${tags.length}.`);
  list.require(
    tags.every((tag) => tag.length <= 50 && isPlainText(tag) && isShownName(tag)),
    'tags',
    `A tag has at most 50 printable characters; it needs ${SHOWN_NAME_RULE}.`,
  );
  list.require(
    parentId === '' || AGENT_ID.test(parentId),
    'parentId',
    'The parent must be an id: AGT- and eight letters or digits.',
  );
  return list.problems;
}
