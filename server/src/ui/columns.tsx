/** A column by its name; with a class, `n` for figures and `wide-only` for what a phone has no room for. */
type Column = string | readonly [name: string, kind: string];

/** The head of a table. */
export function Columns({ of }: { of: readonly Column[] }) {
  return (
    <thead>
      <tr>
        {of.map((column) => {
          const [name, kind] = typeof column === 'string' ? [column] : column;
          return (
            <th key={name} scope="col" class={kind}>
              {name}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
