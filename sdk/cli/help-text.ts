import { COMMON_OPTIONS, type Command, type OptionSpec } from './command.ts';
import { EXIT_MEANINGS } from './exit-code.ts';
import { type Field, fieldLines, type Page, paragraph } from './text/layout.ts';

/** Maximum width of the help, also without a terminal. */
const MAX_COLUMNS = 80;

const ENVIRONMENT = [
  ['TRUST_DIRECTORY_API_KEY', 'your access key'],
  ['TRUST_DIRECTORY_URL', 'address of the service'],
  ['HTTPS_PROXY, HTTP_PROXY, NO_PROXY', 'proxy to use, and hosts to reach without it'],
  ['NO_COLOR, FORCE_COLOR', 'disable or force colours'],
] as const;

/** Generates the help of the program. */
export function programHelp(commands: readonly Command[], version: string, given: Page): string[] {
  const page = bounded(given);
  return [
    ...paragraph(`trust-directory ${version}`, page, 'bold'),
    ...paragraph(
      'Who made this agent or skill, where does it come from, how far can I trust it, and how sure are we?',
      page,
    ),
    ...section('Usage', ['  trust-directory <command> [arguments] [options]'], page),
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
      'Exit codes',
      EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning]),
      page,
    ),
    '',
    ...paragraph('Help on a command: trust-directory <command> --help', page),
  ];
}

/** Generates the help of a command. */
export function commandHelp(command: Command, given: Page): string[] {
  const page = bounded(given);
  const { name, argument: takes, summary, details = [], options, examples } = command;
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
  return Object.entries(options).map(([name, { value, words, description: means }]) => [
    `--${name}${value ? ` ${value}` : ''}`,
    words ? `${means}: ${words.join(', ')}` : means,
  ]);
}

function bounded(page: Page): Page {
  return { ...page, columns: Math.min(page.columns, MAX_COLUMNS) };
}
