import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hiddenFields, type Person, useConsole } from '../../../../testing/console/console-harness.ts';
import { makeListing } from '../../../../testing/factories.ts';
import { type StandInHost, startStandInHost } from '../../../../testing/stand-ins/stand-in-host.ts';
import { getAgent } from '../../../directory/agents/get-agent.ts';

let host: StandInHost;
beforeAll(async () => {
  host = await startStandInHost();
  host.world.showsAnyRepository = true;
});
afterAll(() => host.close());
const world = useConsole(() => ({ HOST_API_URLS: host.environment }));

const LIST = '/console/accounts';
const codeIn = (body: string) => /trust-directory-[2-9a-z0]{20}/.exec(body)?.[0] ?? '';

async function link(person: Person, handle: string, on = 'github.com') {
  const answer = await person.send(LIST, { host: on, handle });
  const path = String(answer.headers.location);
  return { path, code: codeIn((await person.get(path)).body) };
}

/** Registers a listed repository as its proved owner: no second listing is created, and the listing gets the owner's texts. */
async function registerAgain(person: Person, repository: string): Promise<void> {
  const own = { name: 'In my own words', description: 'Mine.', category: 'data', tags: '', parentId: '' };
  const form = { ...own, repoHostUrl: `https://github.com/${repository}` };
  const asSkill = await person.send('/console/register', { ...form, type: 'skill' });
  expect(asSkill.body).toMatch(/id="type-error">[^<]*Keep the existing type/);
  const answer = await person.send('/console/register', { ...form, type: '' });
  expect(answer.headers.location).toMatch(/claim\?done=taken$/);
  const page = await person.get(String(answer.headers.location));
  expect(page.body).toMatch(/In my own words.*is now yours/s);
}

describe('an account on another site', () => {
  it('is linked, waits for its code, and is proved once the code is published', async () => {
    const person = await world.signIn();
    const listed = await makeListing(world.database, { owner: 'maker-of-robots' });
    const account = host.world.account({ handle: 'maker-of-robots' });
    const [stored] = await world.database.query<{ createdAt: string }>(
      'SELECT utc_text(repository_created_at) AS "createdAt" FROM listing WHERE repository = $1',
      [listed.repository],
    );
    host.world.repository({ name: listed.repository, createdAt: stored?.createdAt ?? '' });

    const { path, code } = await link(person, '@maker-of-robots');
    const early = await person.send(`${path}/verify`, {}, path);
    expect(early.statusCode).toBe(409);
    expect(early.body).toContain('The code was not found on github.com');
    expect(codeIn(early.body)).toBe(code);
    account.profile = `I make robots. ${code}`;
    const proved = await person.send(`${path}/verify`, {}, path);

    expect(proved.headers.location).toBe(`${path}?done=proved`);
    expect((await person.get(`${path}?done=proved`)).body).toMatch(/Proved\. .*Counts until/s);
    expect((await person.get(LIST)).body).toMatch(/maker-of-robots.*proved/s);
    expect(await getAgent(world.database, listed.agentId)).toMatchObject({ verified: true });
    await registerAgain(person, listed.repository);
  });

  it('stays unchanged if the host is unavailable, and says so on its page', async () => {
    const person = await world.signIn();
    const { path } = await link(person, 'nobody-home');
    host.trouble(
      { kind: 'answer', status: 500 },
      { kind: 'answer', status: 500 },
      { kind: 'answer', status: 500 },
    );

    const answer = await person.send(`${path}/verify`, {}, path);
    host.trouble();

    expect([409, 503]).toContain(answer.statusCode);
    expect(answer.body).toMatch(/class="notice bad"/);
    expect(answer.body).toContain('Check now');
  });

  it('gets a new code after the old one has expired', async () => {
    const person = await world.signIn();
    const { path, code } = await link(person, 'slow-one');
    await world.database.query('UPDATE linked_account SET code_expires_at = ledger_now() WHERE code = $1', [
      code,
    ]);

    const page = await person.get(path);
    expect(page.body).toContain('The code has expired');
    expect(page.body).not.toContain(code);
    const again = await link(person, 'slow-one');

    expect(again.code).not.toBe(code);
    expect(again.code).not.toBe('');
  });

  it('is linked, checked and removed only shortly after a sign-in, with a way back', async () => {
    const person = await world.signIn();
    const { path } = await link(person, 'old-session');
    const list = hiddenFields((await person.get(LIST)).body);
    await world.database.query(
      "UPDATE session SET created_at = created_at - interval '16 minutes' WHERE id = $1",
      [person.sessionId],
    );

    const answers = [
      [await person.post(LIST, { ...list, host: 'github.com', handle: 'too-late' }), LIST],
      [await person.post(`${path}/verify`, list), path],
      [await person.get(`${path}/remove`), `${path}/remove`],
      [await person.post(`${path}/remove`, list), LIST],
      [await person.get('/console/handle'), '/console/handle'],
      [await person.post('/console/handle', { ...list, handle: 'late' }), '/console/handle'],
    ] as const;

    for (const [{ statusCode, body }, back] of answers) {
      expect(statusCode).toBe(403);
      expect(body).toContain('You signed in more than 15 minutes ago');
      expect(body).toContain(`/sign-in?next=${encodeURIComponent(back)}`);
    }
    expect((await person.get(LIST)).body).toMatch(/old-session/);
    expect((await person.get(LIST)).body).not.toContain('too-late');
    expect((await person.get(path)).statusCode).toBe(200);
  });

  it('explains where to publish a code, and why a file is not enough for an organisation', async () => {
    const person = await world.signIn();

    expect((await person.get(LIST)).body).toMatch(/not enough, because any member can change it/);
    const { path } = await link(person, 'some-team');

    expect((await person.get(path)).body).toMatch(
      /any member can write there.*DNS TXT record.*_trust-directory\.DOMAIN.*a file on the website does not/s,
    );
  });

  it('is removed only after a confirmation', async () => {
    const person = await world.signIn();
    const { path } = await link(person, 'a-mistake');

    expect((await person.get(`${path}/remove`)).body).toContain('Unlink <bdi>a-mistake</bdi>');
    expect((await person.get(path)).statusCode).toBe(200);
    const answer = await person.send(`${path}/remove`, {});

    expect(answer.headers.location).toBe(`${LIST}?done=removed`);
    expect((await person.get(path)).statusCode).toBe(404);
  });

  it.each([
    [{ host: '', handle: 'x' }, 'host', 'Choose the host'],
    [{ host: 'evil.example', handle: 'x' }, 'host', 'Choose the host'],
    [{ host: 'github.com', handle: '' }, 'handle', 'Enter the account'],
    [{ host: 'github.com', handle: 'a b' }, 'handle', 'letters, digits'],
    [{ host: 'github.com', handle: '<script>alert(1)</script>' }, 'handle', 'letters, digits'],
  ])(
    'is rejected if the form is invalid (%j), with the error at its field',
    async (form, field, sentence) => {
      const person = await world.signIn();

      const { statusCode, body } = await person.send(LIST, form);

      expect(statusCode).toBe(400);
      expect(body).toMatch(new RegExp(`<p class="error" id="${field}-error">[^<]*${sentence}`));
      expect(body).not.toContain('<script>alert');
      if (field === 'handle') expect(body).toContain('<option value="github.com" selected>');
    },
  );

  it('of another account looks like an unknown one', async () => {
    const [one, other] = [await world.signIn(), await world.signIn()];
    const { path } = await link(other, 'not-yours');
    const token = hiddenFields((await one.get(LIST)).body);

    for (const foreign of [path, `${LIST}/3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55`, `${LIST}/x`]) {
      for (const page of [foreign, `${foreign}/remove`]) expect((await one.get(page)).statusCode).toBe(404);
      for (const action of ['verify', 'remove']) {
        expect((await one.post(`${foreign}/${action}`, token)).statusCode).toBe(404);
      }
    }
    expect((await other.get(path)).statusCode).toBe(200);
  });
});

describe('the creator handle', () => {
  it('is requested at the first sign-in, can be postponed, and continues to the console', async () => {
    const person = await world.signIn();
    await world.database.query('UPDATE account SET handle = NULL WHERE id = $1', [person.accountId]);

    expect((await person.get('/console')).headers.location).toBe('/console/handle');
    expect((await person.get('/console?handle=later')).statusCode).toBe(200);
    const answer = await person.send('/console/handle', { handle: 'A.First-Name_1' });

    expect(answer.headers.location).toBe('/console?done=handle');
    expect((await person.get('/console')).body).toContain('A.First-Name_1');
  });

  it('can be changed to a free one, and is rejected if taken or invalid', async () => {
    const [person, other] = [await world.signIn(), await world.signIn()];

    for (const [handle, sentence] of [
      [other.handle.toUpperCase(), 'belongs to an account'],
      ['-x', 'A handle must be'],
      ['', 'A handle must be'],
      ['<b>', 'A handle must be'],
    ] as const) {
      const { statusCode, body } = await person.send('/console/handle', { handle });
      expect(statusCode).toBe(400);
      expect(body).toMatch(new RegExp(`id="handle-error">[^<]*${sentence}`));
      expect(body).not.toContain('<b>');
    }
    const answer = await person.send('/console/handle', { handle: `${person.handle}-new` });

    expect(answer.headers.location).toBe('/console/handle?done=changed');
    expect((await person.get('/console/handle')).body).toContain(`${person.handle}-new`);
  });
});
