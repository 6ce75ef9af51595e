/** JSON value with the lines of its members. */
export interface JsonSource {
  readonly value: unknown;
  /** Returns the line, counted from 1, of a member. `container` is an object or array within the value. */
  lineOf(container: object, key: string | number): number;
}

/** Thrown for a text that is not valid JSON, or whose structure is not the expected one. */
export class JsonSourceError extends Error {}

/**
 * Parses JSON and, unlike `JSON.parse`, keeps the line of each member. Accepts comments and trailing commas, as editors
 * do in their settings. Throws a JsonSourceError.
 */
export function parseJsonSource(text: string): JsonSource {
  const lines = new WeakMap<object, Map<string, number>>();
  let position = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  let line = 1;
  let depth = 0;

  const fail = (): never => {
    throw new JsonSourceError(`invalid JSON in line ${line}`);
  };

  function skipSpace(): void {
    for (;;) {
      const character = text[position];
      if (character === '\n') line += 1;
      if (character === ' ' || character === '\t' || character === '\r' || character === '\n') position += 1;
      else if (text.startsWith('//', position)) position = endOf('\n');
      else if (text.startsWith('/*', position)) {
        const end = text.indexOf('*/', position + 2);
        if (end < 0) fail();
        line += text.slice(position, end).split('\n').length - 1;
        position = end + 2;
      } else return;
    }
  }

  const endOf = (mark: string) => {
    const end = text.indexOf(mark, position);
    return end < 0 ? text.length : end;
  };

  function parseString(): string {
    const start = position;
    for (position += 1; text[position] !== '"'; position += 1) {
      if (position >= text.length || text[position] === '\n') fail();
      if (text[position] === '\\') position += 1;
    }
    position += 1;
    return parsed(start) as string;
  }

  function parsed(start: number): unknown {
    try {
      return JSON.parse(text.slice(start, position));
    } catch {
      return fail();
    }
  }

  function parseMembers(close: string, container: object, add: (index: number) => string): object {
    const at = new Map<string, number>();
    lines.set(container, at);
    depth += 1;
    if (depth > 200) fail();
    position += 1;
    skipSpace();
    for (let index = 0; text[position] !== close; index += 1) {
      const memberLine = line;
      at.set(add(index), memberLine);
      skipSpace();
      if (text[position] === ',') position += 1;
      else if (text[position] !== close) fail();
      skipSpace();
    }
    position += 1;
    depth -= 1;
    return container;
  }

  function parseValue(): unknown {
    skipSpace();
    const character = text[position];
    if (character === '{') {
      // The object has no prototype, so that a member named __proto__ becomes an ordinary property.
      const object: Record<string, unknown> = Object.create(null);
      return parseMembers('}', object, () => {
        if (text[position] !== '"') fail();
        const key = parseString();
        skipSpace();
        if (text[position] !== ':') fail();
        position += 1;
        object[key] = parseValue();
        return key;
      });
    }
    if (character === '[') {
      const array: unknown[] = [];
      return parseMembers(']', array, (index) => {
        array.push(parseValue());
        return String(index);
      });
    }
    if (character === '"') return parseString();
    const start = position;
    while (/[\w+.-]/.test(text[position] ?? '')) position += 1;
    return position === start ? fail() : parsed(start);
  }

  const value = parseValue();
  skipSpace();
  if (position < text.length) fail();
  return { value, lineOf: (container, key) => lines.get(container)?.get(String(key)) ?? 1 };
}

/** Returns the value if it is an object, otherwise an empty object. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Returns the value if it is a string, otherwise undefined. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
