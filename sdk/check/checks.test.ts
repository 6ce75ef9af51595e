import { expect, it } from 'vitest';
import { listed, unknownPackages } from '../test/lookup-service.ts';
import { checkItems } from './checks.ts';
import type { CheckItem } from './item.ts';
import type { LookupAnswer } from './look-up-items.ts';
import { toSarif } from './sarif.ts';

const REPOSITORY = 'https://github.com/good/name';
const itemOf = (subject: string, more: Partial<CheckItem> = {}): CheckItem => ({
  ...{ label: subject, name: subject, subject, version: null, file: 'SKILL.md', line: 1, skipped: null },
  ...more,
});

/** Checks one item under a policy that allows every name. */
async function check(item: CheckItem) {
  const [checked] = await checkItems([item], {
    policy: { minTrust: 1, allow: ['*'] },
    describe: String,
    lookUp: async (subjects) =>
      new Map(
        subjects.map((subject) => {
          const answer = subject === REPOSITORY ? listed({ trustScore: 80 }) : unknownPackages(subject);
          return [subject, { subject, record: null, package: null, ...answer } as LookupAnswer];
        }),
      ),
  });
  if (!checked) throw new Error('There is no check.');
  return checked;
}

it('passes no item by what only its own text says, whatever the policy allows', async () => {
  expect((await check(itemOf(REPOSITORY))).verdict).toBe('passed');
  expect(await check(itemOf(REPOSITORY, { isClaimed: true }))).toMatchObject({
    verdict: 'could not tell',
    reasons: [{ code: 'unknown_subject', message: expect.stringContaining('Only its own text') }],
  });
});

it('writes no link into SARIF that a name of others contains', async () => {
  const label = 'mcp:[click](https://evil.example)\\';
  const checked = { ...(await check(itemOf(label))), verdict: 'not checked' as const, failure: 'x' };
  const sarif = toSarif([checked], '0.1.0') as { runs: { results: { message: { text: string } }[] }[] };

  expect(sarif.runs[0]?.results[0]?.message.text).toBe('mcp:\\[click\\](https://evil.example)\\\\: x');
});
