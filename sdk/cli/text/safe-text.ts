/** Commands to a terminal: whole CSI and OSC sequences, then every other escape with the character after it. */
// biome-ignore-start lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const SEQUENCES =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u009d\u0090])[^\u0007\u001b\u0090\u009c\u009d]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-~]/g;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: see above

/** Controls, characters that turn or hide text, line separators, halves of characters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A text from elsewhere that is safe to print on a terminal: on one line, without anything that would steer the terminal. */
export function safeText(text: string): string {
  return text
    .replaceAll(SEQUENCES, '')
    .replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
    .replaceAll(UNSEEN, '');
}

/** The same value with every text in it made safe, names of members included. */
export function safeValue<Value>(value: Value): Value {
  return cleaned(value) as Value;
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return safeText(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [safeText(name), cleaned(member)]));
}

/** JSON that loses nothing and steers no terminal: a character that can't be seen is written as an escape. */
export function safeJson(value: unknown): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, 2).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\n' ? character : character.split('').map(escaped).join(''),
  );
}
