import { lineOf, ProblemList, type Problems } from '../frame/problems.ts';

/** An account elsewhere as the form names it. */
export interface LinkForm {
  host: string;
  handle: string;
}

/** What a form that was sent says, or an address that fills it in. */
export function readLinkForm(form: URLSearchParams): LinkForm {
  return { host: lineOf(form, 'host'), handle: lineOf(form, 'handle') };
}

/** What can be told of a form without asking the host. */
export function checkLinkForm({ handle }: LinkForm, isReadable: boolean): Problems {
  const list = new ProblemList();
  list.require(isReadable, 'host', 'Choose the host.');
  list.require(handle !== '', 'handle', 'Enter the account name.');
  list.require(
    handle.length <= 200 && /^@?[A-Za-z0-9._~-]*$/.test(handle),
    'handle',
    'The name may contain letters, digits, dots, hyphens, underscores and tildes, and may start with @.',
  );
  return list.problems;
}
