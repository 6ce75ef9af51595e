import { describe, expect, it, vi } from 'vitest';
import { makeListing } from '../../../testing/factories.ts';
import { useLedger } from '../../../testing/ledger/ledger-harness.ts';
import { usableScore } from '../../../testing/stand-ins/stand-in-backend.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';
import type { Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { type AcceptedScore, acceptScore } from '../../scoring/scores/accept-score.ts';
import { recordScores } from '../../scoring/scores/score.queries.ts';
import type { ScoreRow } from '../../scoring/scores/score-evidence.fragment.ts';
import type { ScoreRequest } from '../../scoring/scoring-backend.ts';
import { fail } from './fail.ts';
import { createStoredEvidence, sendScores } from './recorded-scores.ts';
import { settle } from './settle.ts';

const world = useLedger();
const { accountWith, hold } = world;

const SEEN = '2026-10-01T00:00:00.000Z';

/**
 * Builds a score of a subject, requested at the given second; `freshness` is null for a backend that does not report
 * it.
 */
function scoreAt(
  subjectId: string,
  second: number,
  { trust = 61.5, freshness = SEEN }: { trust?: number; freshness?: string | null } = {},
): AcceptedScore {
  const request = {
    operation: 'agent_score',
    runId: null,
    subject: { id: subjectId, type: 'agent', name: 'x', repository: 'acme/x' },
    facts: { stars: 3 },
    now: new Date(Date.UTC(2026, 10, 1, 0, 0, second)),
  } as unknown as ScoreRequest;
  return acceptScore(usableScore(request, { trust, freshness: freshness as string }), request, 'stand-in');
}

async function newSubject(): Promise<string> {
  return (await makeListing(world.database)).subjectId;
}

interface Stored {
  evidence: number;
  /** Returns trust and freshness of each version, oldest first. */
  versions: { trust: number; freshness: string }[];
}

async function storedOf(subjectId: string): Promise<Stored> {
  const [count] = await world.database.query<{ evidence: number }>(
    'SELECT count(*)::int AS evidence FROM score_evidence WHERE subject_id = $1',
    [subjectId],
  );
  const versions = await world.database.query<{ trust: number; freshness: string }>(
    'SELECT trust, utc_text(freshness) AS freshness FROM score WHERE subject_id = $1 ORDER BY version',
    [subjectId],
  );
  return { evidence: count?.evidence ?? 0, versions };
}

describe("a score's evidence", () => {
  it('is stored once for calls that differ only in time, and again if anything else differs', async () => {
    const subjectId = await newSubject();
    const account = await accountWith(1_000);
    const call = async (score: AcceptedScore) =>
      settle(world.database, await hold(account, { subjectId }), 'agent', score);

    for (const [second, trust] of [61.5, 61.5, 70, 61.5].entries())
      await call(scoreAt(subjectId, second, { trust }));

    const { evidence, versions } = await storedOf(subjectId);
    expect(evidence).toBe(2);
    expect(versions.map(({ trust }) => trust)).toEqual([61.5, 61.5, 70, 61.5]);
  });

  it('is stored once for calls in one batch, and all their versions show it', async () => {
    const [one, two] = [await newSubject(), await newSubject()];
    const account = await accountWith(10_000);
    const runs = await Promise.all(
      Array.from({ length: 40 }, (_, i) => hold(account, { subjectId: i % 2 ? one : two })),
    );

    await Promise.all(
      runs.map((run, i) => settle(world.database, run, 'agent', scoreAt(i % 2 ? one : two, i % 60))),
    );

    for (const subject of [one, two]) {
      const { evidence, versions } = await storedOf(subject);
      expect([evidence, versions.length]).toEqual([1, 20]);
    }
  });

  it('is found by a settle that started before it was stored', async () => {
    const subjectId = await newSubject();
    const run = await hold(await accountWith(100), { subjectId });
    let settling: Promise<unknown> = Promise.resolve();

    await inTransaction(world.database, async (transaction) => {
      await recordScores(transaction, [scoreAt(subjectId, 1)]);
      settling = settle(world.database, run, 'agent', scoreAt(subjectId, 2));
      await untilBlocked(world.database, settling);
    });

    expect(await settling).not.toBeNull();
    const { evidence, versions } = await storedOf(subjectId);
    expect([evidence, versions.length]).toEqual([1, 2]);
  });

  it('is neither written nor locked by a call that reuses it', async () => {
    const subjectId = await newSubject();
    const account = await accountWith(100);
    await recordScores(world.database, [scoreAt(subjectId, 1)]);
    const row = () =>
      world.database.query(
        'SELECT ctid::text, xmin::text, xmax::text FROM score_evidence WHERE subject_id = $1',
        [subjectId],
      );
    const before = await row();

    await settle(world.database, await hold(account, { subjectId }), 'agent', scoreAt(subjectId, 2));
    await recordScores(world.database, [scoreAt(subjectId, 3)]);

    expect(await row()).toEqual(before);
    expect((await storedOf(subjectId)).versions).toHaveLength(3);
  });

  it('is also shared if its freshness is only the time of the call', async () => {
    const subjectId = await newSubject();
    const account = await accountWith(100);

    for (const second of [1, 2])
      await settle(
        world.database,
        await hold(account, { subjectId }),
        'agent',
        scoreAt(subjectId, second, { freshness: null }),
      );

    const { evidence, versions } = await storedOf(subjectId);
    expect(evidence).toBe(1);
    expect(versions.map(({ freshness }) => freshness)).toEqual([
      '2026-11-01T00:00:01.000000Z',
      '2026-11-01T00:00:02.000000Z',
    ]);
  });
});

describe('evidence that this process has stored', () => {
  /** Simulates another process, and records the scores that its statements send. */
  function newSender() {
    const sent: string[] = [];
    const database: Database = {
      ...world.database,
      query: (sql, bind = []) => {
        sent.push(String(bind[0]));
        return world.database.query(sql, bind);
      },
    };
    return { database, sent };
  }

  const partsOf = (sent: string) =>
    ['inputs', 'contributions', 'caps', 'trust', 'reasons'].filter((part) => sent.includes(`"${part}":`));

  it('is sent once per subject and content; each version shows all of it', async () => {
    const [subjectId, other] = [await newSubject(), await newSubject()];
    const account = await accountWith(1_000);
    const { database, sent } = newSender();
    const call = async (id: string, score: AcceptedScore) =>
      settle(database, await hold(account, { subjectId: id }), 'agent', score);

    await call(subjectId, scoreAt(subjectId, 1));
    await call(subjectId, scoreAt(subjectId, 2));
    await call(other, scoreAt(other, 3));
    await call(subjectId, scoreAt(subjectId, 4, { trust: 70 }));
    await call(subjectId, scoreAt(subjectId, 5, { trust: 70 }));

    const whole = ['inputs', 'contributions', 'caps', 'trust', 'reasons'];
    const small = ['trust', 'reasons'];
    expect(sent.map(partsOf)).toEqual([whole, small, whole, whole, small]);
    const shown = await world.database.query(
      'SELECT inputs, contributions, caps, trust FROM score WHERE subject_id = $1 ORDER BY version',
      [subjectId],
    );
    expect(shown).toHaveLength(4);
    expect(shown[1]).toEqual(shown[0]);
    expect(shown[3]).toEqual(shown[2]);
    expect(shown[0]).toMatchObject({ inputs: { facts: { stars: 3 } }, trust: 61.5 });
  });

  it('is not remembered if its settle found the run already ended', async () => {
    const subjectId = await newSubject();
    const account = await accountWith(100);
    const { database, sent } = newSender();
    const run = await hold(account, { subjectId });
    await fail(world.database, run, 'upstream');

    expect(await settle(database, run, 'agent', scoreAt(subjectId, 1))).toBeNull();
    await settle(database, await hold(account, { subjectId }), 'agent', scoreAt(subjectId, 2));

    expect(sent.map(partsOf)[1]).toContain('inputs');
    expect((await storedOf(subjectId)).evidence).toBe(1);
  });

  it('is sent again with its whole batch if a failover has lost it', async () => {
    const [subjectId, other] = [await newSubject(), await newSubject()];
    const account = await accountWith(1_000);
    const { database, sent } = newSender();
    const holdOf = (id: string) => hold(account, { subjectId: id });
    await settle(database, await holdOf(subjectId), 'agent', scoreAt(subjectId, 1));
    await world.database.query('ALTER TABLE score_evidence DISABLE TRIGGER USER');
    await world.database.query('DELETE FROM score_evidence WHERE subject_id = $1', [subjectId]);
    await world.database.query('ALTER TABLE score_evidence ENABLE TRIGGER USER');
    const runs = [await holdOf(subjectId), await holdOf(other)] as const;

    const settled = await Promise.all([
      settle(database, runs[0], 'agent', scoreAt(subjectId, 2)),
      settle(database, runs[1], 'agent', scoreAt(other, 3)),
    ]);

    expect(settled).toEqual([expect.anything(), expect.anything()]);
    expect(sent).toHaveLength(3);
    expect(await storedOf(subjectId)).toMatchObject({ evidence: 1, versions: [{}, {}] });
    expect(await storedOf(other)).toMatchObject({ evidence: 1, versions: [{}] });
  });

  it('is remembered for a limited number of contents', () => {
    const evidence = createStoredEvidence(2);
    const sentWhole = () =>
      ['a', 'b'].filter((content) => {
        const row = { content, inputs: {}, trust: 1 } as unknown as ScoreRow;
        return 'inputs' in evidence.toSend('subject', row);
      });
    for (const content of ['a', 'b']) evidence.add('subject', content);
    expect(sentWhole()).toEqual([]);

    evidence.add('subject', 'c');

    expect(sentWhole()).toEqual(['a', 'b']);
  });

  it('is not sent again after an unrelated failure', async () => {
    const failure = new Error('Connection terminated');
    const send = vi.fn(() => Promise.reject(failure));

    await expect(sendScores(world.database, [], send, () => true)).rejects.toBe(failure);

    expect(send).toHaveBeenCalledOnce();
  });
});
