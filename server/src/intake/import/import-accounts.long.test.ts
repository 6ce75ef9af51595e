import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { rowVersions } from '../../../testing/import/registry-state.ts';
import { account, creator, listing } from '../../../testing/import/rows.ts';
import { createPublicUrls } from '../../catalog/subjects/public-path.ts';
import { resolveSubject } from '../../catalog/subjects/resolve-subject.ts';
import type { SubjectType } from '../../scoring/subject-type.ts';

const publicUrls = createPublicUrls('http://directory.example');

let work: ImportWorkspace;

beforeEach(async () => {
  work = await createImportWorkspace();
});

afterEach(() => work.close());

/** Resolves a name to an id, or to the error's code. */
async function lead(text: string, type: SubjectType = 'social_account'): Promise<string> {
  const found = await resolveSubject(work.database, type, text, publicUrls).catch((error: unknown) => error);
  return (found as { id?: string }).id ?? (found as { code: string }).code;
}

async function stored(handle: string) {
  const [row] = await work.database.query<Record<string, unknown>>(
    `SELECT p.*, c.handle AS owner, s.name AS subject_name FROM platform_account p JOIN subject s ON s.id = p.subject_id
     LEFT JOIN creator c ON c.subject_id = p.owner_id WHERE p.handle = $1`,
    [handle],
  );
  return row;
}

const whole = account('Twitter', '@AcmeLabs', {
  name: 'Acme Labs',
  url: 'https://x.com/AcmeLabs',
  formerHandles: ['acme_old'],
  ownerHandle: 'Acme',
  platformAccountId: '1234567890',
  createdAt: '2018-03-04T05:06:07Z',
  verifiedMark: true,
  audience: 20_000,
  audienceDayGrowth: 0.01,
  engagement: 0.015,
  lastPostAt: '2026-08-20',
  crossLink: 'both',
  scamFlag: false,
  observedAt: '2026-08-22T00:00:00Z',
});

describe('an account row', () => {
  it('is stored with every fact under the one name of its platform, and its owner is the known creator', async () => {
    const { kinds } = await work.store(whole, creator('acme'));

    expect(kinds.account).toMatchObject({ read: 1, added: 1, rejected: 0 });
    expect(await stored('AcmeLabs')).toMatchObject({
      type: 'social_account',
      kind: 'account',
      platform: 'x',
      name: 'Acme Labs',
      subject_name: 'Acme Labs',
      former_handles: ['acme_old'],
      owner_handle: 'Acme',
      owner: 'acme',
      platform_account_id: '1234567890',
      verified_mark: true,
      audience: 20_000,
      audience_day_growth: 0.01,
      engagement: 0.015,
      last_post_at: new Date('2026-08-20T00:00:00Z'),
      cross_link: 'both',
      scam_flag: false,
      source: 'acme/list',
      imported: whole,
    });
  });

  it('keeps what was observed later, whatever the order of import', async () => {
    await work.store(whole, creator('acme'));

    await work.store({
      ...whole,
      name: 'Acme',
      audience: 10,
      scamFlag: true,
      observedAt: '2026-08-21T00:00:00Z',
    });

    expect(await stored('AcmeLabs')).toMatchObject({
      name: 'Acme',
      audience: 20_000,
      scam_flag: false,
      observed_at: new Date('2026-08-22T00:00:00Z'),
    });
  });

  itAtNight('keeps what is not stated as null, never as 0 or false', async () => {
    await work.store({
      type: 'messaging_account',
      kind: 'channel',
      platform: 'telegram',
      handle: 'news',
      source: 'a list',
    });

    expect(await stored('news')).toMatchObject({
      subject_name: 'news',
      name: null,
      url: null,
      former_handles: [],
      owner_handle: null,
      owner_id: null,
      platform_account_id: null,
      account_created_at: null,
      verified_mark: null,
      audience: null,
      audience_day_growth: null,
      engagement: null,
      last_post_at: null,
      cross_link: null,
      scam_flag: null,
      observed_at: null,
    });
  });

  itAtNight(
    'leads from its id, handles, address, former handles and name, and to its type only',
    async () => {
      await work.store(whole);
      const { subject_id: id } = (await stored('AcmeLabs')) as { subject_id: string };

      const texts = [
        id,
        '@acmelabs',
        'x:acmelabs',
        'https://twitter.com/AcmeLabs',
        '/u/x/AcmeLabs',
        'acmelabs',
      ];
      for (const text of [...texts, 'x:acme_old', '@acme_old', 'acme labs', 'x:id/1234567890']) {
        expect(await lead(text), text).toBe(id);
        expect(await lead(text, 'messaging_account'), text).toBe('subject_not_found');
        expect(await lead(text, 'creator'), text).toBe('subject_not_found');
      }
    },
  );

  it('finds its owner when the creator comes later, and changes nothing after that', async () => {
    const rows = await work.file([whole]);
    await work.run([rows]);
    expect((await stored('AcmeLabs'))?.owner_id).toBeNull();

    await work.store(listing('acme/tool'));
    const second = await work.run([rows]);
    const before = await rowVersions(work.database);
    const third = await work.run([rows]);

    expect(second.kinds.account).toMatchObject({ changed: 1 });
    expect((await stored('AcmeLabs'))?.owner).toBe('acme');
    expect(third.kinds.account).toMatchObject({ unchanged: 1, changed: 0 });
    expect(await rowVersions(work.database)).toEqual(before);
  });

  itAtNight('cannot turn a social account into a messaging account by the same id', async () => {
    await work.store(account('x', 'acme', { platformAccountId: '7' }));

    const { reasons } = await work.store(
      account('x', 'other', { type: 'messaging_account', platformAccountId: '7' }),
    );

    expect(reasons).toEqual({ "it is listed as social_account, and a subject's type never changes": 1 });
  });
});

describe('the score of an account', () => {
  const scoreOf = async (handle: string) => {
    const [row] = await work.database.query<{ trust: number | null; confidence: number | null }>(
      `SELECT v.trust, v.confidence FROM platform_account p JOIN subject s ON s.id = p.subject_id
       LEFT JOIN score v ON v.subject_id = s.id AND v.version = s.current_version WHERE p.handle = $1`,
      [handle],
    );
    return row;
  };

  it('is made with its import where the evidence suffices, and made anew when a fact changes', async () => {
    await work.store(whole, account('x', 'bare'));
    const before = await scoreOf('AcmeLabs');

    expect(before?.trust).toBeGreaterThan(50);
    expect(await scoreOf('bare')).toEqual({ trust: null, confidence: null });

    await work.store({ ...whole, scamFlag: true });
    expect((await scoreOf('AcmeLabs'))?.trust).toBe(10);
  });
});

describe("a platform's id", () => {
  itAtNight(
    'keeps a renamed account the same subject, and its old handle leads there as a former one',
    async () => {
      await work.store(account('x', 'old', { platformAccountId: '7' }));
      const id = await lead('x:old');

      await work.store(account('x', 'new', { platformAccountId: '7' }));

      expect(await lead('x:new')).toBe(id);
      expect(await lead('x:old')).toBe(id);
      expect(await stored('new')).toMatchObject({ former_handles: ['old'], subject_name: 'new' });
    },
  );

  it('makes a new account on an old handle a new subject; the old one keeps its id, loses the handle, and comes back', async () => {
    await work.store(account('x', 'acme', { platformAccountId: '7' }));
    const old = await lead('x:acme');

    await work.store(account('x', 'acme', { platformAccountId: '8' }));

    const successor = await lead('x:acme');
    expect(successor).not.toBe(old);
    expect(await lead('@acme')).toBe(successor);
    expect(await lead('x:id/7')).toBe(old);
    expect(await lead('/u/x/acme~7')).toBe(old);

    await work.store(account('x', 'acme_again', { platformAccountId: '7' }));
    expect(await lead('x:acme_again')).toBe(old);
    expect(await stored('acme_again')).toMatchObject({ former_handles: [] });
    expect(await lead('x:acme')).toBe(successor);
  });

  itAtNight('lets two accounts swap their handles', async () => {
    await work.store(
      account('x', 'a', { platformAccountId: '1' }),
      account('x', 'b', { platformAccountId: '2' }),
    );
    const [first, second] = [await lead('x:a'), await lead('x:b')];

    await work.store(
      account('x', 'b', { platformAccountId: '1' }),
      account('x', 'a', { platformAccountId: '2' }),
    );

    expect([await lead('x:b'), await lead('x:a')]).toEqual([first, second]);
  });

  itAtNight('that is added or removed later makes no other account', async () => {
    await work.store(account('x', 'acme'));
    const id = await lead('x:acme');

    await work.store(account('x', 'ACME', { platformAccountId: '7' }));
    await work.store(account('x', 'acme', { name: 'Acme' }));

    expect(await lead('x:acme')).toBe(id);
    expect(await lead('x:id/7')).toBe(id);
  });

  itAtNight(
    'that another account has is refused for a handle without an id, and changes neither',
    async () => {
      await work.store(account('x', 'a', { platformAccountId: '1' }), account('x', 'b'));
      const before = await rowVersions(work.database);

      const { reasons } = await work.store(account('x', 'b', { platformAccountId: '1' }));

      expect(reasons).toEqual({
        "its platform's id is that of another account, and its handle is listed already": 1,
      });
      expect(await rowVersions(work.database)).toEqual(before);
    },
  );
});
