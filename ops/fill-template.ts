const PLACE = /\$\{([A-Z_]+)\}/g;

/**
 * Replaces each `${NAME}` of a template by its value, like `envsubst`. Throws for a name without a value, and for a value
 * without a placeholder.
 */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  const unused = new Set(Object.keys(values));
  const filled = template.replace(PLACE, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the template asks for ${name}, which has no value`);
    unused.delete(name);
    return value;
  });
  if (unused.size > 0) throw new Error(`the template has no place for ${[...unused].join(', ')}`);
  return filled;
}
