/** Maximum line length, the width of code blocks. */
const MAX_LINE_LENGTH = 92;

/** Formats JSON: values that fit stay on one line, others have one member per line. */
export function formatJson(value: unknown, indent = ''): string {
  const line = onOneLine(value);
  if (typeof value !== 'object' || value === null || indent.length + line.length <= MAX_LINE_LENGTH)
    return line;
  const deeper = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map((each) => formatJson(each, deeper))
    : Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${formatJson(each, deeper)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${members.map((member) => deeper + member).join(',\n')}\n${indent}${close}`;
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${onOneLine(each)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
