import type { Command } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-code.ts';

/** Shells that there is a script for. */
const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** A shell that there is a script for. */
export type Shell = (typeof SHELLS)[number];

/** The command that prints a shell's completion script, given what makes one. */
export function completion(scriptFor: (shell: Shell) => readonly string[]): Command {
  return {
    name: 'completion',
    takes: '<bash|zsh|fish>',
    count: [1, 1],
    words: SHELLS,
    summary: 'A script that makes your shell complete commands, options and their words.',
    options: {},
    examples: [
      ['eval "$(trust-directory completion bash)"', 'In ~/.bashrc'],
      ['eval "$(trust-directory completion zsh)"', 'In ~/.zshrc, after compinit'],
      ['trust-directory completion fish | source', 'In ~/.config/fish/config.fish'],
    ],
    async run({ words: [word], output }) {
      const shell = SHELLS.find((each) => each === word);
      if (!shell)
        throw new CommandError(EXIT.usage, `There is a script for ${SHELLS.join(', ')}, not for ${word}.`);
      output.text(() => scriptFor(shell));
      return EXIT.ok;
    },
  };
}
