/** As wide as code stands on a page beside the list of pages. */
const WIDTH = 92;

/** JSON as people lay it out: what fits a line is one, the rest has a line for each member. */
export function layOutJson(value: unknown, indent = ''): string {
  const line = onOneLine(value);
  if (typeof value !== 'object' || value === null || indent.length + line.length <= WIDTH) return line;
  const deeper = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map((each) => layOutJson(each, deeper))
    : Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${layOutJson(each, deeper)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${members.map((member) => deeper + member).join(',\n')}\n${indent}${close}`;
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${onOneLine(each)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
