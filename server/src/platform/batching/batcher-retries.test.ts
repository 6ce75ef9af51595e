import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  answerOf,
  createControlledBatcher,
  items,
  outcomes,
  settled,
  sqlError,
} from '../../../testing/controlled-batcher.ts';
import { BatchNotSentError } from './batcher.ts';

describe('a batch that the server rejected', () => {
  it.each(['23505', '23514', '40P01', '55P03', '57014'])(
    'with %s goes one by one: only the culprit has the failure',
    async (code) => {
      const line = createControlledBatcher();
      const answers = line.askAll([1, 2, 3].map((id) => ({ id, lane: `lane ${id}` })));
      await turn();

      await line.sent[0]?.fail(sqlError(code));
      expect(line.ids().slice(1)).toEqual([[1], [2], [3]]);
      await line.sent[1]?.answer();
      await line.sent[2]?.fail(sqlError(code));
      await line.sent[3]?.answer();

      expect(await outcomes(answers)).toEqual([answerOf(1), sqlError(code).message, answerOf(3)]);
      expect(line.sent).toHaveLength(4);
    },
  );

  it('goes one by one if an item prevented it from being sent', async () => {
    const line = createControlledBatcher();
    const answers = line.askAll([1, 2].map((id) => ({ id, lane: `lane ${id}` })));
    await turn();

    await line.sent[0]?.fail(new BatchNotSentError('item 1'));
    await line.sent[1]?.fail(new BatchNotSentError('item 1'));
    await line.sent[2]?.answer();

    expect(await outcomes(answers)).toEqual(['item 1', answerOf(2)]);
  });

  it('is not retried if it has only one item', async () => {
    const line = createControlledBatcher();
    const answers = line.askAll(items(1, 1));
    await turn();

    await line.sent[0]?.fail(sqlError('23505'));

    expect(await outcomes(answers)).toEqual([sqlError('23505').message]);
    expect(line.sent).toHaveLength(1);
  });

  it('does not delay other partitions, and retries one item per partition at a time', async () => {
    const line = createControlledBatcher({ maxInFlight: 1 });
    line.askAll([...items(1, 3, { lane: 'stuck' }), { id: 4, lane: 'other' }]);
    await turn();
    await line.sent[0]?.fail(sqlError('55P03'));
    line.askAll(items(5, 6, { lane: 'later' }));
    await turn();

    expect(line.ids()).toEqual([[1, 4, 2, 3], [1], [4], [5, 6]]);
    await line.sent[1]?.answer();
    expect(line.ids().slice(4)).toEqual([[2]]);
  });

  it('keeps its partitions out of later batches until the retries end, four partitions at once', async () => {
    const line = createControlledBatcher();
    const answers = line.askAll(['a', 'b', 'c', 'd', 'e'].map((lane, id) => ({ id, lane })));
    await turn();
    await line.sent[0]?.fail(sqlError('55P03'));
    expect(line.ids().slice(1)).toEqual([[0], [1], [2], [3]]);

    answers.push(
      ...line.askAll([
        { id: 10, lane: 'a' },
        { id: 11, lane: 'other' },
      ]),
    );
    await settled();
    expect(line.ids().slice(5)).toEqual([[11]]);

    await line.sent[1]?.answer();
    expect(line.ids().slice(6)).toEqual([[4], [10]]);
    for (const sent of line.sent.slice(2)) await sent.answer();
    expect(await outcomes(answers)).toEqual([0, 1, 2, 3, 4, 10, 11].map(answerOf));
  });

  it('keeps a partition suspended until the retries of both rejected batches end', async () => {
    const line = createControlledBatcher();
    for (const [from, to] of [
      [1, 2],
      [3, 4],
    ] as const) {
      line.askAll(items(from, to, { lane: 'a' }));
      await turn();
    }
    for (const sent of line.sent.slice()) await sent.fail(sqlError('55P03'));
    line.ask({ id: 5, lane: 'a' });

    await line.sent[2]?.answer();
    await line.sent[4]?.answer();
    expect(line.ids().slice(2)).toEqual([[1], [3], [2]]);

    await line.sent[3]?.answer();
    await line.sent[5]?.answer();
    expect(line.ids().slice(5)).toEqual([[4], [5]]);
  });

  it('keeps the keys of its items in flight until they have a result', async () => {
    const line = createControlledBatcher({ maxInFlight: 1 });
    line.askAll([
      { id: 1, key: 'same', lane: 'a' },
      { id: 2, lane: 'b' },
    ]);
    await turn();
    await line.sent[0]?.fail(sqlError('23505'));
    line.ask({ id: 3, key: 'same', lane: 'c' });
    await turn();
    expect(line.ids().slice(1)).toEqual([[1], [2]]);

    await line.sent[1]?.answer();

    expect(line.ids().slice(3)).toEqual([[3]]);
  });

  it.each([
    ['whose outcome is unknown', sqlError('08006')],
    ['whose commit no standby has', sqlError('01000')],
    ['whose connection broke', new Error('Connection terminated unexpectedly')],
    ['by a server that is out of sessions', sqlError('53300')],
    ['by a fault of our own', new TypeError('no rows')],
  ])('%s is not sent again: each is told', async (_what, error) => {
    const line = createControlledBatcher();
    const answers = line.askAll(items(1, 3));
    await turn();

    await line.sent[0]?.fail(error);

    expect(await outcomes(answers)).toEqual([error.message, error.message, error.message]);
    expect(line.sent).toHaveLength(1);
    line.askAll(items(1, 1));
    await turn();
    expect(line.ids()[1]).toEqual([1]);
  });
});
