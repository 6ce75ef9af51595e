import type { ComponentChildren } from 'preact';

interface FiltersProps {
  action: string;
  /** What the button says. */
  submit?: string;
  children: ComponentChildren;
}

/** A choice of what a list shows, as the address says it: without a script the button sends it. */
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
  /** What no choice is called. */
  all: string;
  options: readonly { value: string; text: string }[];
  chosen: string | null;
}

/** One filter; choosing sends it at once where there is a script. */
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

/** The address of a list with some of its choices changed; what is empty or null is left out. */
export function addressWith(path: string, choices: Readonly<Record<string, string | null>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(choices)) if (value) query.set(name, value);
  return query.size === 0 ? path : `${path}?${query}`;
}
