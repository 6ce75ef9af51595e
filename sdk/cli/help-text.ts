import type { Command, OptionSpec } from './command.ts';
import { COMMON_OPTIONS } from './common-options.ts';
import { EXIT_MEANINGS } from './exit-code.ts';
import { type Field, fieldLines, type Page, paragraph } from './text/layout.ts';

/** The width of help where there is no terminal. */
const COLUMNS_ELSEWHERE = 80;

const ENVIRONMENT = [
  ['TRUST_DIRECTORY_API_KEY', 'your access key'],
  ['TRUST_DIRECTORY_URL', 'address of the service'],
  ['HTTPS_PROXY, HTTP_PROXY, NO_PROXY', 'the proxy to use, and what is reached without it'],
  ['NO_COLOR, FORCE_COLOR', 'never colours, always colours'],
] as const;

/** The help of the whole program. */
export function programHelp(commands: readonly Command[], version: string, given: Page): string[] {
  const page = bounded(given);
  return [
    ...paragraph(`trust-directory ${version}`, page, 'bold'),
    ...paragraph(
      'Who made this agent or skill, where does it come from, how far can I trust it, and how sure are we?',
      page,
    ),
    ...section('Usage', ['  trust-directory <command> [words] [options]'], page),
    ...fieldSection(
      'Commands',
      commands.map(({ name, summary }) => [name, summary]),
      page,
    ),
    ...fieldSection('Options of every command', optionFields(COMMON_OPTIONS), page),
    ...fieldSection('Environment', ENVIRONMENT, page),
    ...paragraph('Or a config file of mode 600, ~/.config/trust-directory/config.json:', page, null, 2),
    '    {"apiKey": "svc_live_…", "url": "https://…"}',
    ...fieldSection(
      'Ends with',
      EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning]),
      page,
    ),
    '',
    ...paragraph('More on one command: trust-directory <command> --help', page),
  ];
}

/** The help of one command. */
export function commandHelp(command: Command, given: Page): string[] {
  const page = bounded(given);
  const { name, takes, summary, details = [], options, examples } = command;
  return [
    ...paragraph(summary, page),
    ...section('Usage', [`  trust-directory ${[name, takes, '[options]'].filter(Boolean).join(' ')}`], page),
    ...details.flatMap((each) => ['', ...paragraph(each, page)]),
    ...fieldSection('Options', optionFields({ ...options, ...COMMON_OPTIONS }), page),
    ...section(
      'Examples',
      examples.flatMap(([line, purpose]) => [
        ...paragraph(`# ${purpose}`, page, 'dim', 2),
        ...paragraph(line, page, null, 2),
      ]),
      page,
    ),
    '',
    ...paragraph('Exit codes: trust-directory --help', page),
  ];
}

function section(title: string, lines: readonly string[], { paint }: Page): string[] {
  return lines.length === 0 ? [] : ['', paint('bold', title), ...lines];
}

function fieldSection(title: string, fields: readonly Field[], page: Page): string[] {
  const inner = { ...page, columns: page.columns - 2 };
  return section(
    title,
    fieldLines(fields, inner).map((line) => `  ${line}`),
    page,
  );
}

function optionFields(options: Readonly<Record<string, OptionSpec>>): Field[] {
  return Object.entries(options).map(([name, { value, words, means }]) => [
    `--${name}${value ? ` ${value}` : ''}`,
    words ? `${means}: ${words.join(', ')}` : means,
  ]);
}

function bounded(page: Page): Page {
  return { ...page, columns: Math.min(page.columns, COLUMNS_ELSEWHERE) };
}
