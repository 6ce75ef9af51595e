import type { Endpoint } from './reference.ts';

/** An id in a path that only its reader knows: of their key, receipt or listing. */
export interface OwnId {
  /** Of the parameter. */
  readonly name: string;
  /** What stands for it in a shell. */
  readonly variable: string;
  /** What stands for it in a program. */
  readonly constant: string;
  readonly meaning: string;
}

/** The ids that a call with a credential needs in its path. */
export function ownIds({ parameters, schemes, path }: Endpoint): OwnId[] {
  if (schemes.length === 0) return [];
  return parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name, field }) => {
      const words =
        name === 'id' ? [thingAt(path), 'id'] : name.split(/_|(?=[A-Z])/).map((word) => word.toLowerCase());
      const [first = '', ...others] = words.flatMap((word) => word.split('_'));
      return {
        name,
        variable: [first, ...others].join('_').toUpperCase(),
        constant: first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(''),
        meaning: field.description,
      };
    });
}

/** What an `id` is of: the last word of the path before it, in the singular. */
function thingAt(path: string): string {
  const parts = path.split('/');
  return (parts[parts.indexOf('{id}') - 1] ?? '').replace(/s$/, '').replaceAll('-', '_');
}
