import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
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
    'sends what it says, with an idempotency key that no other run of it has (%s)',
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
});
