/** Matches terminal control sequences: CSI, OSC and similar strings, and other escapes with the next character. */
// biome-ignore-start lint/suspicious/noControlCharactersInRegex: the pattern removes them.
const SEQUENCES =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u009d\u0090])[^\u0007\u001b\u0090\u009c\u009d]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-~]/g;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: see above

/** Matches control and format characters, line separators and lone surrogates. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Sanitizes untrusted text for a terminal: one line, without control sequences. */
export function safeText(text: string): string {
  return text
    .replaceAll(SEQUENCES, '')
    .replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
    .replaceAll(UNSEEN, '');
}

/** Sanitizes all strings in a value, including member names. */
export function safeValue<Value>(value: Value): Value {
  return cleaned(value) as Value;
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return safeText(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [safeText(name), cleaned(member)]));
}

/** Serializes as JSON with invisible characters escaped, so that nothing is lost and no control sequence is printed. */
export function safeJson(value: unknown): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, 2).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\n' ? character : character.split('').map(escaped).join(''),
  );
}
