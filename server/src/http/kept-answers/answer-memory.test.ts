import { describe, expect, it, vi } from 'vitest';
import { EVERYTHING, RANKING } from '../../database/announced-change.ts';
import { AnswerMemory, KeptAnswer } from './answer-memory.ts';

const MEGABYTE = 1_048_576;
const [ONE, OTHER] = ['one-subject', 'other-subject'];

function answer(text: string): KeptAnswer {
  return new KeptAnswer(text, { 'content-type': 'text/plain' });
}

function opened(bytes = MEGABYTE, now?: () => number): AnswerMemory {
  const memory = new AnswerMemory(bytes, now);
  memory.open(Number.POSITIVE_INFINITY);
  return memory;
}

function keep(
  memory: AnswerMemory,
  key: string,
  parts: string[],
  goodUntil = Number.POSITIVE_INFINITY,
): void {
  memory.begin(key)?.keep(answer(key), { parts, goodUntil });
}

const textAt = (memory: AnswerMemory, key: string) => memory.get(key)?.body.toString();

describe('what is kept', () => {
  it('is forgotten with a change of anything that it was made of, and of nothing else', () => {
    const memory = opened();
    keep(memory, '/one', [ONE, RANKING]);
    keep(memory, '/both', [ONE, OTHER]);
    keep(memory, '/third', [ONE]);
    keep(memory, '/other', [OTHER]);

    memory.drop(`${ONE},unknown`);

    const kept = ['/one', '/both', '/third', '/other'].filter((key) => memory.get(key));
    expect(kept).toEqual(['/other']);
    memory.drop(EVERYTHING);
    expect(textAt(memory, '/other')).toBeUndefined();
    expect(memory.bytes).toBe(0);
  });

  it('is forgotten with its last version’s parts too', () => {
    const memory = opened();
    keep(memory, '/one', [ONE]);
    keep(memory, '/one', [OTHER]);

    memory.drop(ONE);
    expect(textAt(memory, '/one')).toBe('/one');
    memory.drop(OTHER);
    expect(textAt(memory, '/one')).toBeUndefined();
  });

  it('is not sent any more once time alone makes it another answer', () => {
    let now = 0;
    const memory = opened(MEGABYTE, () => now);
    keep(memory, '/one', [ONE], 10);

    now = 9;
    expect(textAt(memory, '/one')).toBe('/one');
    now = 10;
    expect(textAt(memory, '/one')).toBeUndefined();
    expect(memory.bytes).toBe(0);
  });

  it('stays within its bytes, and what was asked for last goes last', () => {
    const memory = opened(20_000);
    for (let place = 0; place < 50; place += 1) {
      keep(memory, `/${place}`, [ONE]);
      expect(textAt(memory, '/0')).toBe('/0');
      expect(memory.bytes).toBeLessThanOrEqual(20_000);
    }

    expect(textAt(memory, '/1')).toBeUndefined();
    expect(textAt(memory, '/49')).toBe('/49');
    memory
      .begin('/large')
      ?.keep(answer('x'.repeat(19_000)), { parts: [], goodUntil: Number.POSITIVE_INFINITY });
    expect(textAt(memory, '/large')).toBeUndefined();
    expect(textAt(memory, '/49')).toBe('/49');
  });

  it('is a text until it is asked for again, and then the same bytes each time', () => {
    const made = vi.spyOn(Buffer, 'allocUnsafeSlow');
    const memory = opened();
    keep(memory, '/one', [ONE]);
    expect(made).not.toHaveBeenCalled();

    const [first, again] = [memory.get('/one')?.body, memory.get('/one')?.body];

    expect(first?.toString()).toBe('/one');
    expect(again).toBe(first);
    expect(made).toHaveBeenCalledOnce();
    made.mockRestore();
  });

  it.each([
    ['a text, with two bytes for a letter', 'x'],
    ['a text of longer letters, with twice their bytes', 'ß'],
    ['bytes, with their compressed forms', Buffer.from('x')],
  ])('is counted: %s', (_name, one) => {
    const bytesOf = (length: number) => {
      const memory = opened();
      const content = typeof one === 'string' ? one.repeat(length) : Buffer.alloc(length, one);
      memory
        .begin('/one')
        ?.keep(new KeptAnswer(content, {}), { parts: [], goodUntil: Number.POSITIVE_INFINITY });
      return memory.bytes;
    };

    expect(bytesOf(1_001) - bytesOf(1_000)).toBe(2 * Buffer.byteLength(one));
  });

  it('is nothing before it is opened, nothing after it is closed, and not what was kept before', () => {
    const memory = new AnswerMemory(MEGABYTE);
    expect(memory.begin('/one')).toBeNull();
    memory.open(Number.POSITIVE_INFINITY);
    keep(memory, '/one', [ONE]);
    const begun = memory.begin('/late');

    memory.close();
    expect(textAt(memory, '/one')).toBeUndefined();
    expect([memory.isOpen, memory.begin('/one')]).toEqual([false, null]);
    memory.open(Number.POSITIVE_INFINITY);
    begun?.keep(answer('old'), { parts: [], goodUntil: Number.POSITIVE_INFINITY });
    expect(['/one', '/late'].map((key) => textAt(memory, key))).toEqual([undefined, undefined]);
  });
});

it('has nothing of before where it is opened once more', () => {
  const memory = opened();
  keep(memory, '/one', [ONE]);
  const begun = memory.begin('/late');

  memory.open(Number.POSITIVE_INFINITY);
  begun?.keep(answer('old'), { parts: [], goodUntil: Number.POSITIVE_INFINITY });

  expect(['/one', '/late'].map((key) => textAt(memory, key))).toEqual([undefined, undefined]);
});

describe('where changes may have gone unheard for too long', () => {
  it('nothing is sent and nobody waits for what others read, until all is heard again', async () => {
    let now = 0;
    const memory = new AnswerMemory(MEGABYTE, () => now);
    memory.open(900);
    keep(memory, '/one', [ONE]);
    keep(memory, '/other', [OTHER]);
    const reading = memory.begin('/late');
    now = 899;
    expect([textAt(memory, '/one'), memory.underWay('/late')]).toEqual(['/one', reading]);

    now = 900;
    expect([textAt(memory, '/one'), memory.underWay('/late')]).toEqual([undefined, undefined]);
    expect([memory.isOpen, memory.isTrusted]).toEqual([true, false]);
    // What is heard of late is forgotten; the rest is as good as it was.
    memory.drop(OTHER);
    memory.trust(1_800);

    expect(['/one', '/other'].map((key) => textAt(memory, key))).toEqual(['/one', undefined]);
  });
});

describe('a reading under way', () => {
  it.each([ONE, EVERYTHING])('is not kept where %s changed after it began', (change) => {
    const memory = opened();
    const reading = memory.begin('/one');

    memory.drop(change);
    reading?.keep(answer('old'), { parts: [ONE], goodUntil: Number.POSITIVE_INFINITY });

    expect(textAt(memory, '/one')).toBeUndefined();
  });

  it('is kept where something else changed', () => {
    const memory = opened();
    const reading = memory.begin('/one');

    memory.drop(OTHER);
    reading?.keep(answer('as it is'), { parts: [ONE], goodUntil: Number.POSITIVE_INFINITY });

    expect(textAt(memory, '/one')).toBe('as it is');
  });

  it('is waited for by those who ask for the same, but by nobody after a change', async () => {
    const memory = opened();
    const reading = memory.begin('/one');
    const waiting = memory.underWay('/one')?.outcome;
    expect(memory.underWay('/other')).toBeUndefined();

    memory.drop(OTHER);
    expect(memory.underWay('/one')).toBeUndefined();
    const newer = memory.begin('/one');
    expect(reading).not.toBe(newer);
    expect(memory.underWay('/one')).toBe(newer);
    reading?.keep(answer('first'), { parts: [ONE], goodUntil: Number.POSITIVE_INFINITY });

    expect((await waiting)?.body.toString()).toBe('first');
    expect(memory.underWay('/one')).toBe(newer);
    newer?.giveUp();
    expect(await newer?.outcome).toBeNull();
    expect(memory.underWay('/one')).toBeUndefined();
  });

  it('that was given up keeps nothing', () => {
    const memory = opened();
    const reading = memory.begin('/one');

    reading?.giveUp();
    reading?.keep(answer('late'), { parts: [ONE], goodUntil: Number.POSITIVE_INFINITY });

    expect(textAt(memory, '/one')).toBeUndefined();
  });
});
