import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OPERATIONS, operationNamed } from './answers/documented-answers.ts';
import { EXCUSED_ANSWERS } from './excused-answers.ts';

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

describe('the suite', () => {
  it.each(OPERATIONS.map(({ operationId }) => operationId))(
    'tests %s in a file of its own',
    (operationId) => {
      const file = new URL(`${kebab(operationId)}.contract.test.ts`, import.meta.url);

      expect(existsSync(file)).toBe(true);
      expect(readFileSync(file, 'utf8')).toContain(`describeOperation('${operationId}'`);
    },
  );

  it('excuses documented answers only, each once and with a reason', () => {
    const names = EXCUSED_ANSWERS.map(
      ({ target, operationId, status }) => `${target} ${operationId} ${status}`,
    );

    for (const { operationId, status, reason } of EXCUSED_ANSWERS) {
      expect(operationNamed(operationId).answers.has(status)).toBe(true);
      expect(reason.length).toBeGreaterThan(20);
    }
    expect(new Set(names).size).toBe(names.length);
  });
});
