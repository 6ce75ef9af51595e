import { describe, expect, it, vi } from 'vitest';
import { EVERYTHING, RANKING } from '../../database/change-announcements.ts';
import { CachedResponse, ResponseCache } from './response-cache.ts';

const MEGABYTE = 1_048_576;
const [ONE, OTHER] = ['one-subject', 'other-subject'];

function answer(text: string): CachedResponse {
  return new CachedResponse(text, { 'content-type': 'text/plain' });
}

function opened(bytes = MEGABYTE, now?: () => number): ResponseCache {
  const memory = new ResponseCache(bytes, now);
  memory.open(Number.POSITIVE_INFINITY);
  return memory;
}

function keep(
  memory: ResponseCache,
  key: string,
  parts: string[],
  validUntil = Number.POSITIVE_INFINITY,
): void {
  memory.begin(key)?.store(answer(key), { parts, validUntil });
}

const textAt = (memory: ResponseCache, key: string) => memory.get(key)?.body.toString();

describe('a cached response', () => {
  it('is invalidated by a change of any of its dependencies, and of nothing else', () => {
    const memory = opened();
    keep(memory, '/one', [ONE, RANKING]);
    keep(memory, '/both', [ONE, OTHER]);
    keep(memory, '/third', [ONE]);
    keep(memory, '/other', [OTHER]);

    memory.invalidate(`${ONE},unknown`);

    const kept = ['/one', '/both', '/third', '/other'].filter((key) => memory.get(key));
    expect(kept).toEqual(['/other']);
    memory.invalidate(EVERYTHING);
    expect(textAt(memory, '/other')).toBeUndefined();
    expect(memory.bytes).toBe(0);
  });

  it('is invalidated by the dependencies of its last version too', () => {
    const memory = opened();
    keep(memory, '/one', [ONE]);
    keep(memory, '/one', [OTHER]);

    memory.invalidate(ONE);
    expect(textAt(memory, '/one')).toBe('/one');
    memory.invalidate(OTHER);
    expect(textAt(memory, '/one')).toBeUndefined();
  });

  it('is not served after its expiry', () => {
    let now = 0;
    const memory = opened(MEGABYTE, () => now);
    keep(memory, '/one', [ONE], 10);

    now = 9;
    expect(textAt(memory, '/one')).toBe('/one');
    now = 10;
    expect(textAt(memory, '/one')).toBeUndefined();
    expect(memory.bytes).toBe(0);
  });

  it('is evicted least recently used first, within the memory limit', () => {
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
      ?.store(answer('x'.repeat(19_000)), { parts: [], validUntil: Number.POSITIVE_INFINITY });
    expect(textAt(memory, '/large')).toBeUndefined();
    expect(textAt(memory, '/49')).toBe('/49');
  });

  it('does not get the serialized form of a response that was invalidated while it was sent', () => {
    const memory = opened();
    keep(memory, '/one', [ONE]);
    const old = memory.get('/one') as CachedResponse;
    memory.invalidate(ONE);
    keep(memory, '/one', [ONE]);

    memory.storeSerialized('/one', 'br', old, { content: old, tag: 'W/"old"', headers: [] });

    expect(memory.getSerialized('/one', 'br')).toBeUndefined();
  });

  it('is a text until the first hit, and then the same Buffer each time', () => {
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
        ?.store(new CachedResponse(content, {}), { parts: [], validUntil: Number.POSITIVE_INFINITY });
      return memory.bytes;
    };

    expect(bytesOf(1_001) - bytesOf(1_000)).toBe(2 * Buffer.byteLength(one));
  });

  it('does not exist before the cache is opened, nor after it is closed, nor when it is reopened', () => {
    const memory = new ResponseCache(MEGABYTE);
    expect(memory.begin('/one')).toBeNull();
    memory.open(Number.POSITIVE_INFINITY);
    keep(memory, '/one', [ONE]);
    const begun = memory.begin('/late');

    memory.close();
    expect(textAt(memory, '/one')).toBeUndefined();
    expect([memory.isOpen, memory.begin('/one')]).toEqual([false, null]);
    memory.open(Number.POSITIVE_INFINITY);
    begun?.store(answer('old'), { parts: [], validUntil: Number.POSITIVE_INFINITY });
    expect(['/one', '/late'].map((key) => textAt(memory, key))).toEqual([undefined, undefined]);
  });
});

it('opening an open cache empties it', () => {
  const memory = opened();
  keep(memory, '/one', [ONE]);
  const begun = memory.begin('/late');

  memory.open(Number.POSITIVE_INFINITY);
  begun?.store(answer('old'), { parts: [], validUntil: Number.POSITIVE_INFINITY });

  expect(['/one', '/late'].map((key) => textAt(memory, key))).toEqual([undefined, undefined]);
});

describe('while invalidations may have been missed', () => {
  it('nothing is served and no read is shared, until invalidations arrive again', async () => {
    let now = 0;
    const memory = new ResponseCache(MEGABYTE, () => now);
    memory.open(900);
    keep(memory, '/one', [ONE]);
    keep(memory, '/other', [OTHER]);
    const reading = memory.begin('/late');
    now = 899;
    expect([textAt(memory, '/one'), memory.inFlight('/late')]).toEqual(['/one', reading]);

    now = 900;
    expect([textAt(memory, '/one'), memory.inFlight('/late')]).toEqual([undefined, undefined]);
    expect([memory.isOpen, memory.isFresh]).toEqual([true, false]);
    // A late invalidation removes its entries; the others are valid again.
    memory.invalidate(OTHER);
    memory.extend(1_800);

    expect(['/one', '/other'].map((key) => textAt(memory, key))).toEqual(['/one', undefined]);
  });
});

describe('a read in flight', () => {
  it.each([ONE, EVERYTHING])('is not kept where %s changed after it began', (change) => {
    const memory = opened();
    const reading = memory.begin('/one');

    memory.invalidate(change);
    reading?.store(answer('old'), { parts: [ONE], validUntil: Number.POSITIVE_INFINITY });

    expect(textAt(memory, '/one')).toBeUndefined();
  });

  it('is cached if something else changed', () => {
    const memory = opened();
    const reading = memory.begin('/one');

    memory.invalidate(OTHER);
    reading?.store(answer('as it is'), { parts: [ONE], validUntil: Number.POSITIVE_INFINITY });

    expect(textAt(memory, '/one')).toBe('as it is');
  });

  it('is shared with requests for the same response, but not after a change', async () => {
    const memory = opened();
    const reading = memory.begin('/one');
    const waiting = memory.inFlight('/one')?.outcome;
    expect(memory.inFlight('/other')).toBeUndefined();

    memory.invalidate(OTHER);
    expect(memory.inFlight('/one')).toBeUndefined();
    const newer = memory.begin('/one');
    expect(reading).not.toBe(newer);
    expect(memory.inFlight('/one')).toBe(newer);
    reading?.store(answer('first'), { parts: [ONE], validUntil: Number.POSITIVE_INFINITY });

    expect((await waiting)?.body.toString()).toBe('first');
    expect(memory.inFlight('/one')).toBe(newer);
    newer?.abandon();
    expect(await newer?.outcome).toBeNull();
    expect(memory.inFlight('/one')).toBeUndefined();
  });

  it('that was abandoned caches nothing', () => {
    const memory = opened();
    const reading = memory.begin('/one');

    reading?.abandon();
    reading?.store(answer('late'), { parts: [ONE], validUntil: Number.POSITIVE_INFINITY });

    expect(textAt(memory, '/one')).toBeUndefined();
  });
});
