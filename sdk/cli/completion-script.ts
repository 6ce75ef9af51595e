import { COMMON_OPTIONS, type Command } from './command.ts';
import type { Shell } from './commands/completion.ts';

/** Generates a shell's completion script for commands, options and their known values. */
export function completionScript(shell: Shell, commands: readonly Command[]): string[] {
  switch (shell) {
    case 'bash':
      return bashScript(commands);
    case 'zsh':
      return zshScript(commands);
    case 'fish':
      return fishScript(commands);
  }
}

const optionsOf = (command: Command) => Object.entries({ ...command.options, ...COMMON_OPTIONS });
const names = (commands: readonly Command[]) => [...commands.map(({ name }) => name), 'help'].join(' ');

/** Generates one `case` branch for each option that takes a value, per command. */
function wordBranches(commands: readonly Command[], offer: (words: string) => string): string[] {
  return commands.flatMap((command) =>
    optionsOf(command)
      .filter(([, { value }]) => value)
      .map(([name, { words = [] }]) => `    ${command.name}:--${name}) ${offer(words.join(' '))}; return ;;`),
  );
}

function commandBranches(commands: readonly Command[], offer: (words: string) => string): string[] {
  return commands.map((command) => {
    const options = optionsOf(command).map(([name]) => `--${name}`);
    return `    ${command.name}) ${offer([...(command.words ?? []), ...options].join(' '))} ;;`;
  });
}

function bashScript(commands: readonly Command[]): string[] {
  const offer = (words: string) => `COMPREPLY=($(compgen -W "${words}" -- "$word"))`;
  return [
    '_trust_directory() {',
    '  local word="$' + '{COMP_WORDS[COMP_CWORD]}" before="$' + '{COMP_WORDS[COMP_CWORD-1]}"',
    '  local command="$' + '{COMP_WORDS[1]}"',
    '  COMPREPLY=()',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    ${offer(`${names(commands)} --help --version`)}; return`,
    '  fi',
    '  case "$command:$before" in',
    ...wordBranches(commands, offer),
    '  esac',
    '  case "$command" in',
    ...commandBranches(commands, offer),
    `    help) ${offer(names(commands))} ;;`,
    '  esac',
    '}',
    'complete -F _trust_directory trust-directory',
  ];
}

function zshScript(commands: readonly Command[]): string[] {
  const offer = (words: string) => (words === '' ? ':' : `compadd -- ${words}`);
  return [
    '#compdef trust-directory',
    '_trust_directory() {',
    '  if (( CURRENT == 2 )); then',
    `    ${offer(`${names(commands)} --help --version`)}; return`,
    '  fi',
    '  case "$' + '{words[2]}:$' + '{words[CURRENT-1]}" in',
    ...wordBranches(commands, offer),
    '  esac',
    '  case "$' + '{words[2]}" in',
    ...commandBranches(commands, offer),
    `    help) ${offer(names(commands))} ;;`,
    '  esac',
    '}',
    'compdef _trust_directory trust-directory',
  ];
}

function fishScript(commands: readonly Command[]): string[] {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  return [
    'complete -c trust-directory -f',
    ...commands.flatMap((command) => [
      `complete -c trust-directory -n __fish_use_subcommand -a ${command.name} -d ${quoted(command.summary)}`,
      ...(command.words
        ? [`complete -c trust-directory -n ${seen(command)} -a ${quoted(command.words.join(' '))}`]
        : []),
      ...optionsOf(command).map(([name, { value, words = [], description: means }]) => {
        const takes = value ? ` -x -a ${quoted(words.join(' '))}` : '';
        return `complete -c trust-directory -n ${seen(command)} -l ${name}${takes} -d ${quoted(means)}`;
      }),
    ]),
  ];
}

const seen = ({ name }: Command) => `'__fish_seen_subcommand_from ${name}'`;
