import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Canary, startCanary } from '../../testing/outbound/canary.ts';
import { createGuardedClient } from '../outbound/guarded-client.ts';
import { createSites } from './sites.ts';

let canary: Canary;
beforeAll(async () => {
  canary = await startCanary();
});
afterAll(() => canary.close());

describe('a domain that a profile names', () => {
  it.each(['127.0.0.1', 'localhost', '[::1]', '169.254.169.254', '10.0.0.1'])(
    'is not asked where it leads inside: %s',
    async (domain) => {
      const sites = createSites('test');
      const before = canary.heard();

      const found = await sites.file(`${domain}:${canary.port}`, '/.well-known/trust-directory.txt');
      const plain = await sites.file(domain, '/.well-known/trust-directory.txt');

      await sites.close();
      expect([found, plain, canary.heard() - before]).toEqual([null, null, 0]);
    },
  );

  it('is not asked where its name leads inside', async () => {
    const client = createGuardedClient({
      userAgent: 'test',
      rules: { hosts: 'any', configuredOrigins: [], ports: [canary.port] },
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    });
    const sites = createSites('test', { client });
    const before = canary.heard();

    expect(await sites.file(`acme.example:${canary.port}`, '/')).toBeNull();

    await sites.close();
    expect(canary.heard()).toBe(before);
  });

  it('has the records that DNS tells, each in one piece, and none where DNS is silent', async () => {
    const answers: Record<string, string[][]> = { 'a.example': [['one ', 'piece'], ['two']] };
    const sites = createSites('test', {
      resolveText: async (name) => answers[name] ?? Promise.reject(new Error('ESERVFAIL')),
    });

    expect(await sites.textRecords('a.example')).toEqual(['one piece', 'two']);
    expect(await sites.textRecords('b.example')).toEqual([]);
    await sites.close();
  });
});
