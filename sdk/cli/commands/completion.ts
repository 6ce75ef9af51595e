import type { Command } from '../command.ts';
import { CommandError, EXIT } from '../exit-code.ts';

/** Shells that completion supports. */
const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** Shell that completion supports. */
export type Shell = (typeof SHELLS)[number];

/** Creates the command that prints a shell's completion script. */
export function completion(scriptFor: (shell: Shell) => readonly string[]): Command {
  return {
    name: 'completion',
    argument: '<bash|zsh|fish>',
    argumentCount: [1, 1],
    words: SHELLS,
    summary: 'Print a completion script for your shell.',
    options: {},
    examples: [
      ['eval "$(trust-directory completion bash)"', 'In ~/.bashrc'],
      ['eval "$(trust-directory completion zsh)"', 'In ~/.zshrc, after compinit'],
      ['trust-directory completion fish | source', 'In ~/.config/fish/config.fish'],
    ],
    async run({ words: [word], output }) {
      const shell = SHELLS.find((each) => each === word);
      if (!shell)
        throw new CommandError(EXIT.usage, `Unknown shell ${word}; use one of ${SHELLS.join(', ')}.`);
      output.text(() => scriptFor(shell));
      return EXIT.ok;
    },
  };
}
