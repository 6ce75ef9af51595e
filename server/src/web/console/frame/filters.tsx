import type { ComponentChildren } from 'preact';
import type { KeyRecord } from '../../../access/keys/key-fields.ts';
import { OPERATIONS } from '../../../access/plans/plans.ts';
import { toWords } from '../../components/formatting.tsx';

interface FiltersProps {
  action: string;
  /** Text of the button. */
  submit?: string;
  children: ComponentChildren;
}

/** Shows the filters of a list as a GET form, with a button for browsers without scripts. */
export function Filters({ action, submit = 'Show', children }: FiltersProps) {
  return (
    <form class="finder" action={action} method="get">
      {children}
      <button type="submit">{submit}</button>
    </form>
  );
}

interface SelectProps {
  name: string;
  label: string;
  /** Text of the option for no filter. */
  all: string;
  options: readonly { value: string; text: string }[];
  chosen: string | null;
}

/** Shows one filter. With scripts, choosing an option submits the form. */
export function FilterSelect({ name, label, all, options, chosen }: SelectProps) {
  return (
    <select name={name} aria-label={label} data-submits>
      <option value="">{all}</option>
      {options.map(({ value, text }) => (
        <option key={value} value={value} selected={value === chosen}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** Returns a path with these query parameters; leaves out those that are empty or null. */
export function hrefWith(path: string, choices: Readonly<Record<string, string | null>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(choices)) if (value) query.set(name, value);
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Truncates a name to 30 characters, because a select is as wide as its longest option. */
function shorten(name: string): string {
  const letters = [...name];
  return letters.length > 30 ? `${letters.slice(0, 29).join('')}…` : name;
}

/** Shows a filter by key; `chosen` is the id of a key, or null for all keys. */
export function KeyFilter({ keys, chosen }: { keys: readonly KeyRecord[]; chosen: string | null }) {
  return (
    <FilterSelect
      name="key"
      label="Key"
      all="All keys"
      options={keys.map(({ id, name, last_four }) => ({
        value: id,
        text: `${shorten(name)} …${last_four}`,
      }))}
      chosen={chosen}
    />
  );
}

/** Formats an operation's name: `agent_skill_lineage` becomes `Agent skill lineage`. */
export function operationName(operation: string): string {
  const words = toWords(operation);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Shows a filter by operation; `chosen` is null for all operations. */
export function OperationFilter({ chosen }: { chosen: string | null }) {
  return (
    <FilterSelect
      name="operation"
      label="Operation"
      all="All operations"
      options={OPERATIONS.map((value) => ({ value, text: operationName(value) }))}
      chosen={chosen}
    />
  );
}

/** Link to another page of a list; `href` is null if there is none. */
interface Way {
  text: string;
  href: string | null;
}

/** Shows links to the first and the next page; renders nothing for a single page. */
export function CursorLinks({ first, next }: { first: Way; next: Way }) {
  if (first.href === null && next.href === null) return null;
  return (
    <nav class="pages" aria-label="Pages">
      {first.href !== null && (
        <a class="button" href={first.href}>
          {first.text}
        </a>
      )}
      {next.href !== null && (
        <a class="button" rel="next" href={next.href}>
          {next.text}
        </a>
      )}
    </nav>
  );
}
