/**
 * Replaces the error messages of the library commander by sentences that say what to do. `$1` and so on are the
 * groups of the pattern.
 */
const SENTENCES: readonly (readonly [error: RegExp, sentence: string])[] = [
  [/^required option '(.+)' not specified$/, 'The option $1 is missing: add it.'],
  [/^option '(.+)' argument missing$/, 'The option $1 has no value: write one after it.'],
  [/^missing required argument '(.+)'$/, 'The argument <$1> is missing: add it.'],
  [/^option '(.+)' argument '(.*)' is invalid\. (.+)$/, 'The option $1 cannot be "$2". $3'],
  [/^unknown option '(.+)'$/, 'There is no option $1: correct or remove it.'],
  [/^unknown command '(.+)'$/, 'There is no command $1: correct it.'],
  [
    /^too many arguments(?: for '(.+)')?\. Expected (\d+) arguments? but got (\d+)\.$/,
    'The command $1 takes $2 arguments, not $3: remove the others.',
  ],
];

/** Matches the suggestion that commander adds on a line of its own. */
const SUGGESTION = /\n\((Did you mean .+\?)\)$/;

/** Explains a mistake in a command line in one line that says what to do. `error` is the text of commander. */
export function explainUsageMistake(error: string): string {
  const text = error.trimEnd().replace(/^error: /, '');
  const [, suggestion] = SUGGESTION.exec(text) ?? [];
  const problem = text.replace(SUGGESTION, '');
  const [pattern, sentence] = SENTENCES.find(([known]) => known.test(problem)) ?? [];
  const explained = pattern && sentence ? problem.replace(pattern, sentence) : problem;
  return [explained, suggestion, 'Add --help to see what the command takes.'].filter(Boolean).join(' ');
}
