import { beforeAll, describe, expect, it } from 'vitest';
import { giveCredits, makeAccount, makeListing, type TestAccount } from '../../testing/factories.ts';
import { sampleUnlessNightly } from '../../testing/nightly.ts';
import { refusal, useOperations } from '../../testing/operations/operation-harness.ts';
import { type Behaviour, refuse, usableScore } from '../../testing/stand-ins/stand-in-backend.ts';
import { makePlatformAccount } from '../../testing/subjects/account.factory.ts';
import type { Operation } from '../access/plans/plans.ts';
import type { DomainError } from '../platform/errors/domain-error.ts';
import type { SubjectType } from '../scoring/subject-type.ts';

const world = useOperations();
const { run, totals } = world;

interface Case {
  operation: Operation;
  price: number;
  type: SubjectType;
  /** A type that the operation does not accept. */
  otherType: SubjectType;
}

const CASES: readonly Case[] = [
  { operation: 'agent_score', price: 10, type: 'agent', otherType: 'skill' },
  { operation: 'skill_score', price: 8, type: 'skill', otherType: 'agent' },
  { operation: 'creator_score', price: 8, type: 'creator', otherType: 'social_account' },
  {
    operation: 'social_account_score',
    price: 5,
    type: 'social_account',
    otherType: 'messaging_account',
  },
  {
    operation: 'messenger_account_score',
    price: 5,
    type: 'messaging_account',
    otherType: 'social_account',
  },
  { operation: 'agent_skill_lineage', price: 20, type: 'skill', otherType: 'creator' },
];

/** Operations that the gate tests: one about a listing and one about an account. */
const BY_DAY = ['agent_score', 'messenger_account_score'];

/** One subject of each type, and a name that two subjects of that type share. */
const subjects = {} as Record<SubjectType, { id: string; text: string; ambiguous: string }>;

beforeAll(async () => {
  const { database } = world;
  for (const type of ['agent', 'skill'] as const) {
    const { subjectId, repository } = await makeListing(database, { type });
    for (let bearer = 0; bearer < 2; bearer++) await makeListing(database, { type, name: `two-${type}s` });
    subjects[type] = { id: subjectId, text: repository, ambiguous: `two-${type}s` };
  }
  const { creatorId, repository } = await makeListing(database);
  const handle = `@${repository.split('/')[0]}`;
  await database.query(
    `INSERT INTO subject_alias (label, subject_type, subject_id, kind)
     SELECT 'two creators', 'creator', subject_id, 'name' FROM creator LIMIT 2`,
  );
  subjects.creator = { id: creatorId, text: handle, ambiguous: 'two creators' };
  for (const type of ['social_account', 'messaging_account'] as const) {
    const { id, platform, handle: name } = await makePlatformAccount(database, { type });
    for (const other of ['mastodon.social', 'mastodon.online']) {
      await makePlatformAccount(database, { type, platform: other, handle: `two_${type}s` });
    }
    subjects[type] = { id, text: `${platform}:${name}`, ambiguous: `@two_${type}s` };
  }
});

/** Creates an account whose calls are paid with credits, so that prices are visible. */
async function payingAccount(credits = 1000): Promise<TestAccount> {
  const account = await makeAccount(world.database);
  await giveCredits(world.database, account.accountId, credits);
  for (let call = 0; call < 25; call++) await run(account);
  return account;
}

describe.each(sampleUnlessNightly(CASES, ({ operation }) => BY_DAY.includes(operation)))(
  '$operation',
  ({ operation, price, type, otherType }) => {
    it('stores a score for its type of subject and charges its price', async () => {
      const account = await payingAccount();
      const before = await totals(account);

      const outcome = await run(account, { operation, subject: subjects[type].text });

      if (outcome.kind !== 'settled') throw new Error(outcome.kind);
      expect(outcome.subject).toMatchObject({ id: subjects[type].id, type });
      expect(outcome).toMatchObject({ source: 'gifted' });
      expect((await totals(account)).used - before.used).toBe(price);
      const [stored] = await world.database.query(
        `SELECT v.subject_type, utc_text(s.current_version) AS current FROM subject s
       JOIN score v ON v.subject_id = s.id AND v.version = s.current_version WHERE s.id = $1 AND v.ledger_id = $2`,
        [subjects[type].id, outcome.ledgerId],
      );
      expect(stored).toEqual({ subject_type: type, current: outcome.settled.scoreVersion });
    });

    it('is replayed for its key without the backend and without a charge', async () => {
      const account = await makeAccount(world.database);
      const call = { operation, subject: subjects[type].text, idempotencyKey: 'k' };
      const first = await run(account, call);
      const before = await totals(account);
      world.backend.calls.length = 0;

      const again = await run(account, call);

      const ledgerId = first.kind === 'settled' && first.ledgerId;
      expect(again).toMatchObject({ kind: 'replay', run: { ledgerId }, subject: { id: subjects[type].id } });
      expect(await totals(account)).toEqual(before);
      expect(world.backend.calls).toEqual([]);
    });

    it('returns its price in a dry run, whatever state the key has, and leaves no trace', async () => {
      const account = await makeAccount(world.database);
      const call = { operation, subject: subjects[type].text, idempotencyKey: 'k' };
      await run(account, call);
      const before = await totals(account);
      world.backend.calls.length = 0;

      const quote = await run(account, { ...call, dryRun: true });

      expect(quote).toMatchObject({
        kind: 'quote',
        priceCredits: price,
        source: 'free',
        subject: { id: subjects[type].id },
        balance: { included_used: 2 },
      });
      expect(await totals(account)).toEqual(before);
      expect(world.backend.calls).toEqual([]);
    });

    it('predicts the balance after the call, in calls and in credits', async () => {
      for (const account of [await makeAccount(world.database), await payingAccount()]) {
        const call = { operation, subject: subjects[type].text };
        const quoted = await run(account, { ...call, dryRun: true });

        const paid = await run(account, call);

        if (quoted.kind !== 'quote' || paid.kind !== 'settled')
          throw new Error(`${quoted.kind}, ${paid.kind}`);
        expect(quoted.source).toBe(paid.source);
        expect(quoted.balance).toEqual(paid.settled.balance);
      }
    });

    it('names the right operation for a subject of another type', async () => {
      const account = await makeAccount(world.database);
      const fitting = CASES.find((each) => each.type === otherType && !each.operation.endsWith('lineage'));

      const refused = run(account, { operation, subject: subjects[otherType].id });

      await expect(refused).rejects.toMatchObject({
        code: 'subject_not_found',
        message: expect.stringContaining(`: use ${fitting?.operation} for it.`),
      });
    });

    it('refuses a subject of another type, an unknown and an ambiguous one, and an empty balance', async () => {
      const account = await makeAccount(world.database);

      for (const dryRun of [false, true]) {
        const asked = (subject: string) => refusal(run(account, { operation, subject, dryRun }));
        expect(await asked(subjects[otherType].id)).toBe('subject_not_found');
        expect(await asked('nobody-here')).toBe('subject_not_found');
        expect(await asked(subjects[type].ambiguous)).toBe('subject_ambiguous');
      }
      expect(await totals(account)).toEqual({ runs: 0, used: 0, held: 0 });
      for (let call = 0; call < 25; call++) await run(account);
      for (const dryRun of [false, true]) {
        const call = { operation, subject: subjects[type].text, dryRun };
        expect(await refusal(run(account, call))).toBe('insufficient_credits');
      }
    });

    it.each<[string, Behaviour]>([
      ['no answer', refuse],
      ['a score of another type', async (request) => usableScore(request, { subjectType: otherType })],
      ['no number', async (request) => usableScore(request, { trust: Number.NaN })],
      [
        'an infinite number',
        async (request) => usableScore(request, { confidence: Number.POSITIVE_INFINITY }),
      ],
      ['a number below 0', async (request) => usableScore(request, { trust: -1 })],
      ['a number above 100', async (request) => usableScore(request, { confidence: 100.0001 })],
      ['zero twice', async (request) => usableScore(request, { trust: 0, confidence: 0, lowerBound: 0 })],
      ['an incomplete score', async (request) => usableScore(request, { status: 'incomplete' })],
    ])('stores and charges nothing if the backend returns %s', async (_name, behaviour) => {
      const account = await makeAccount(world.database);
      world.backend.behave(behaviour);
      const scores = 'SELECT count(*)::int AS count FROM score';
      const [before] = await world.database.query(scores);

      const call = { operation, subject: subjects[type].text };
      const failure = (await run(account, call).catch((error) => error)) as DomainError;

      expect(failure).toMatchObject({
        code: 'scoring_failed',
        details: { ledgerId: world.backend.calls[0] },
      });
      expect(await totals(account)).toEqual({ runs: 1, used: 0, held: 0 });
      expect((await world.database.query(scores))[0]).toEqual(before);
    });
  },
);
