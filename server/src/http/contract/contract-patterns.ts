import { SHOWN_NAME } from '../../subjects/shown-name.ts';

/** Control characters, in a class of a pattern. */
const CONTROL = '\\u0000-\\u001F\\u007F-\\u009F';
/** The characters that `\\s` stands for in JavaScript and that are no control characters; other languages know fewer. */
const SPACES = ' \\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000\\uFEFF';
/** The same and all others of the first plane that are drawn as nothing or as a blank. */
const BLANKS =
  ' \\u00A0\\u00AD\\u034F\\u115F\\u1160\\u1680\\u180E\\u2000-\\u200D\\u2028\\u2029\\u202F\\u205F-\\u2064\\u2800\\u3000\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0';
/** Control characters and those that turn the direction of text. */
const TURNS = `${CONTROL}\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069`;

/** Text that is not blank, as the contract spells it. */
export const NOT_BLANK = `^[${SPACES}]*[^${CONTROL}${SPACES}][^${CONTROL}]*$`;
/** The name of a subject, as the contract spells it: not blank, with spaces around what is looked up. */
export const SUBJECT = `^[${SPACES}]*[^${CONTROL}${SPACES}](?:[^${CONTROL}]*[^${CONTROL}${SPACES}])?[${SPACES}]*$`;
/** A name or a tag, as the contract spells it. */
export const NAME = `^[${BLANKS}]*[^${TURNS}${BLANKS}][^${TURNS}]*$`;

/**
 * What the service asks for where the contract's pattern, which every language has to understand, can only ask for less:
 * a visible character in a name, and at most 512 characters from the first to the last of a subject that is not a space.
 * These patterns need the flag `u`.
 */
export const FULL_PATTERNS: Readonly<Record<string, string>> = {
  [NAME]: SHOWN_NAME,
  [SUBJECT]: `^(?!\\s*$)(?!\\s*\\S[\\s\\S]{511,}\\S)[^${CONTROL}]+$`,
};

/** Compiles a pattern of the contract as the service checks it; for the validator's option `code.regExp`. */
export function expressionOf(pattern: string, flags: string): RegExp {
  return new RegExp(FULL_PATTERNS[pattern] ?? pattern, flags);
}
/** How the validator names that function in code of its own. */
expressionOf.code = 'expressionOf';
