import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SHELL_IDEMPOTENCY_KEY } from '../../components/formatting.tsx';
import { curlCommand } from './new-key.page.tsx';

const TOLD = `curl() { for word in "$@"; do last=$word; done; printf '%s' "$last"; }\n`;

/** Runs the shown call in a shell whose curl prints the request's body. */
function bodySentBy(shell: string, subject: string): Record<string, unknown> {
  const call = curlCommand('https://trust.example', "'Authorization: Bearer x'", {
    operation: 'agent_score',
    subject,
  });
  return JSON.parse(execFileSync(shell, ['-euc', TOLD + call], { encoding: 'utf8' }));
}

describe('the call that the console shows', () => {
  it.each(['sh', 'bash'])(
    'sends the shown operation and subject, with a new idempotency key at each run (%s)',
    (shell) => {
      const first = bodySentBy(shell, "acme/o'robot");
      const second = bodySentBy(shell, 'acme/other');

      expect(first).toEqual({
        operation: 'agent_score',
        subject: "acme/o'robot",
        idempotency_key: expect.stringMatching(/^[!-~]{1,255}$/),
      });
      expect(second.idempotency_key).not.toBe(first.idempotency_key);
    },
  );

  it.each(['sh', 'bash'])('has another idempotency key each time that one shell runs it (%s)', (shell) => {
    const each = `for time in 1 2 3; do echo '"'${SHELL_IDEMPOTENCY_KEY.slice(1, -1)}'"'; done`;

    const keys = execFileSync(shell, ['-euc', each], { encoding: 'utf8' }).trim().split('\n');

    expect(new Set(keys).size).toBe(3);
    expect(keys).toEqual(Array(3).fill(expect.stringMatching(/^"[!-~]{8,255}"$/)));
  });

  it.each(['README.md', 'server/docs/api.md'])(
    'creates its idempotency key by the same shell code as %s',
    (file) => {
      const text = readFileSync(new URL(`../../../../../${file}`, import.meta.url), 'utf8');

      const keys = [...text.matchAll(/"idempotency_key": "('\$.*?\)')"/g)].map((match) => match[1]);

      expect(keys).toEqual([SHELL_IDEMPOTENCY_KEY]);
    },
  );
});
