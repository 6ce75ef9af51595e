import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { COMMON_OPTIONS } from './command.ts';
import { COMMANDS } from './commands.ts';
import { completionScript } from './completion-script.ts';

const run = promisify(execFile);

/** Returns what bash offers after these words, the last of them unfinished. */
async function offered(...words: string[]): Promise<string[]> {
  const script = [
    ...completionScript('bash', COMMANDS),
    'COMP_WORDS=("$@")',
    'COMP_CWORD=$(($# - 1))',
    '_trust_directory',
    'printf "%s\\n" "$' + '{COMPREPLY[@]}"',
  ].join('\n');
  const { stdout } = await run('bash', ['--norc', '-c', script, 'bash', 'trust-directory', ...words]);
  return stdout.split('\n').filter((word) => word !== '');
}

describe('in bash', () => {
  it('completes every command', async () => {
    expect(await offered('')).toEqual(expect.arrayContaining(COMMANDS.map(({ name }) => name)));
    expect(await offered('l')).toEqual(['lookup', 'lineage']);
    expect(await offered('help', 'id')).toEqual(['identity']);
  });

  it("completes a command's options, and the words that they take", async () => {
    expect(await offered('score', '--y')).toEqual(['--yes']);
    expect(await offered('search', '--tier', '')).toEqual(['high', 'medium', 'low']);
    expect(await offered('search', 'browser', '--category', 'co')).toEqual(['coding', 'communication']);
    expect(await offered('completion', 'z')).toEqual(['zsh']);
  });

  it('offers nothing for free text', async () => {
    expect(await offered('search', '--limit', '')).toEqual([]);
    expect(await offered('nonsense', '')).toEqual([]);
  });
});

describe.each(['zsh', 'fish'] as const)('for %s', (shell) => {
  it('names every command, option and word', () => {
    const script = completionScript(shell, COMMANDS).join('\n');

    for (const { name, options } of COMMANDS) {
      expect(script).toContain(name);
      for (const [option, { words = [] }] of Object.entries({ ...COMMON_OPTIONS, ...options })) {
        expect(script).toContain(shell === 'fish' ? `-l ${option}` : `--${option}`);
        expect(script).toContain(words.join(' '));
      }
    }
  });
});
