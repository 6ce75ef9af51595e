import { describe, expect, it } from 'vitest';
import { hiddenFields, useConsole } from '../../../../testing/console/console-harness.ts';
import { makeListing } from '../../../../testing/factories.ts';
import { getAgent } from '../../../directory/agents/get-agent.ts';

const world = useConsole();
const PATH = '/console/register';
let made = 0;

function fields() {
  made += 1;
  return {
    repoHostUrl: `https://github.com/somebody/robot-${made}`,
    type: 'skill',
    name: 'Rōbot “one” <b>&amp;',
    description: 'Does\r\nthings,   well.',
    category: 'automation',
    tags: 'one, two ,one,, <i>',
    parentId: '',
  };
}

const listedIn = (location: unknown) =>
  /^\/console\/agents\/(AGT-[0-9A-Z]{8})\/claim\?done=registered$/.exec(String(location))?.[1] ?? '';

describe('registering in the console', () => {
  it('lists the repository under the person’s handle, and confirms it on the next page', async () => {
    const person = await world.signIn();
    const parent = await makeListing(world.database);

    const answer = await person.send(PATH, { ...fields(), parentId: parent.agentId.toLowerCase() });

    expect(answer.statusCode).toBe(303);
    const id = listedIn(answer.headers.location);
    expect(await getAgent(world.database, id)).toMatchObject({
      type: 'skill',
      name: 'Rōbot “one” <b>&amp;',
      description: 'Does things, well.',
      category: 'automation',
      tags: ['one', 'two', '<i>'],
      creatorHandle: person.handle,
      verified: false,
      trust: expect.any(Number),
    });
    const page = await person.get(String(answer.headers.location));
    expect(page.body).toContain(id);
    expect(page.body).toMatch(/role="status">.*Rōbot “one” &lt;b>&amp;amp;.*is listed as/);
  });

  it('creates one listing, however often and fast the same form is sent', async () => {
    const person = await world.signIn();
    const form = { ...hiddenFields((await person.get(PATH)).body), ...fields() };

    const first = await person.post(PATH, form);
    const again = await Promise.all([person.post(PATH, form), person.post(PATH, form)]);

    expect(listedIn(first.headers.location)).not.toBe('');
    for (const { statusCode, headers } of again)
      expect([statusCode, headers.location]).toEqual([303, first.headers.location]);
    const list = (await person.get('/console/agents')).body;
    expect(list.match(/<code>AGT-/g)).toHaveLength(1);
    const changed = await person.post(PATH, { ...form, repoHostUrl: fields().repoHostUrl });
    expect(listedIn(changed.headers.location)).toMatch(/^AGT-/);
    expect(changed.headers.location).not.toBe(first.headers.location);
  });

  it.each([
    [{ repoHostUrl: '' }, 'repoHostUrl', 'Enter the address'],
    [{ repoHostUrl: 'ftp://github.com/a/b' }, 'repoHostUrl', 'must be'],
    [{ repoHostUrl: 'https://evil.example/a/b' }, 'repoHostUrl', 'must name a repository on'],
    [{ repoHostUrl: 'https://github.com/a' }, 'repoHostUrl', 'must end with owner and repository'],
    [{ repoHostUrl: 'https://github.com/a b/c' }, 'repoHostUrl', 'without spaces'],
    [{ name: ' ' }, 'name', 'Enter a name'],
    [{ name: 'x'.repeat(101) }, 'name', '1 to 100'],
    [{ name: 'a\u0000b' }, 'name', 'printable'],
    [{ description: '' }, 'description', 'Describe in a sentence'],
    [{ description: 'x'.repeat(281) }, 'description', 'you entered 281'],
    [{ category: 'sports' }, 'category', 'Choose a category'],
    [{ tags: '1,2,3,4,5,6,7,8,9' }, 'tags', 'you entered 9'],
    [{ tags: 'x'.repeat(51) }, 'tags', '1 to 50'],
    [{ parentId: 'robot' }, 'parentId', 'AGT- and eight'],
    [{ parentId: 'AGT-00000000' }, 'parentId', 'No agent or skill has this id'],
  ])('shows the error at its field (%j), and keeps the input', async (wrong, field, sentence) => {
    const person = await world.signIn();
    const good = fields();

    const { statusCode, body } = await person.send(PATH, { ...good, ...wrong });

    expect(statusCode).toBe(400);
    expect(body).toMatch(new RegExp(`<p class="error" id="${field}-error">[^<]*${sentence}`));
    expect(body).toMatch(new RegExp(`role="alert">.*<a href="#${field}">`, 's'));
    expect(body.match(/ autofocus/g)).toHaveLength(1);
    if (field !== 'tags') expect(body).toContain('value="one, two ,one,, &lt;i>"');
    if (field !== 'category') expect(body).toContain('<option value="automation" selected>');
    if (field !== 'name') expect(body).toContain('value="Rōbot “one” &lt;b>&amp;amp;"');
  });

  it('reports all errors at once, and focuses the first invalid field', async () => {
    const person = await world.signIn();

    const { body } = await person.send(PATH, {
      ...fields(),
      repoHostUrl: '',
      name: '',
      tags: 'x'.repeat(51),
    });

    expect(body.match(/class="error"/g)).toHaveLength(3);
    expect(body).toContain('Fix 3 fields');
    expect(body).toMatch(/id="repoHostUrl"[^>]* autofocus/);
  });

  it('of an existing listing names its id, no matter who listed it', async () => {
    const [one, other] = [await world.signIn(), await world.signIn()];
    const good = fields();
    const id = listedIn((await one.send(PATH, good)).headers.location);

    for (const person of [one, other]) {
      const { statusCode, body } = await person.send(PATH, good);
      expect(statusCode).toBe(400);
      expect(body).toMatch(new RegExp(`id="repoHostUrl-error">[^<]*already registered as ${id}`));
    }
  });

  it('shows the steps of a listing only to its owner', async () => {
    const [one, other] = [await world.signIn(), await world.signIn()];
    const { location } = (await one.send(PATH, fields())).headers;

    expect((await one.get(String(location))).body).toContain('is listed as');
    for (const path of [String(location), String(location).replace('claim', 'badge')])
      expect((await other.get(path)).statusCode).toBe(404);
    for (const id of ['AGT-99999999', '%3Cscript%3E'])
      expect((await one.get(`/console/agents/${id}/claim`)).statusCode).toBe(404);
  });

  it('is not offered, and is rejected, without a handle', async () => {
    const person = await world.signIn();
    const form = { ...hiddenFields((await person.get(PATH)).body), ...fields() };
    await world.database.query('UPDATE account SET handle = NULL WHERE id = $1', [person.accountId]);

    expect((await person.get(PATH)).body).toContain('href="/console/handle"');
    expect((await person.get(PATH)).body).not.toContain('name="repoHostUrl"');
    expect((await person.post(PATH, form)).statusCode).toBe(403);
  });
});
