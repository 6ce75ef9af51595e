import { beforeAll, describe, expect, it } from 'vitest';
import { hiddenFields, type Person, useConsole } from '../../../../testing/console/console-harness.ts';
import { giveCredits } from '../../../../testing/factories.ts';
import { makeListing, makeScore } from '../../../../testing/subjects/registry.factory.ts';

const world = useConsole();
const RUN = '/console/run';
let person: Person;

beforeAll(async () => {
  const listing = await makeListing(world.database, { repository: 'acme/robot', type: 'agent' });
  await makeScore(world.database, listing, { trust: 60, confidence: 50 });
  for (const owner of ['one', 'two'])
    await makeListing(world.database, { repository: `${owner}/twin`, name: 'Twin', type: 'agent' });
  person = await world.signIn({ plan: 'free' });
});

async function runsOf({ accountId }: Person): Promise<number> {
  const [row] = await world.database.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM usage_run WHERE account_id = $1',
    [accountId],
  );
  return row?.count ?? 0;
}

const form = (subject: string, more: Record<string, string> = {}) => ({
  operation: 'agent_score',
  subject,
  do: 'run',
  ...more,
});

describe('the page that runs a call', () => {
  it('is prefilled with an existing subject, and names one for each operation', async () => {
    const { body } = await person.get(RUN);

    expect(body).toMatch(/<input[^>]* name="subject"[^>]* value="acme\/robot"/);
    expect(body).toContain('&quot;subject&quot;: &quot;acme/robot&quot;');
    expect(body).toContain('/console/run?operation=agent_skill_lineage&amp;subject=acme%2Frobot');
    expect(body).toContain('no example listed yet');
  });

  it('runs the call, charges once however often the form is sent, and shows the receipt with its score', async () => {
    const buyer = await world.signIn({ plan: 'free' });
    const page = await buyer.get(RUN);
    const hidden = hiddenFields(page.body);

    const sent = await buyer.post(RUN, form('acme/robot', hidden));
    const again = await buyer.post(RUN, form('acme/robot', hidden));

    expect([sent.statusCode, again.statusCode]).toEqual([303, 303]);
    expect(sent.headers.location).toMatch(/^\/console\/receipts\/[\da-f-]{36}\?done=run$/);
    expect(again.headers.location).toBe(`${sent.headers.location}-before`);
    expect(await runsOf(buyer)).toBe(1);
    const { body } = await buyer.get(String(sent.headers.location));
    expect(body).toContain('The call is done.');
    expect(body).toMatch(/id="bought".*Trust \d+ · Confidence \d+% · Tier \w+/s);
    expect(body).toContain('See why on its page');
    const changed = await buyer.post(RUN, form('one/twin', hidden));
    expect(changed.headers.location).toMatch(/\?done=run$/);
    expect(await runsOf(buyer)).toBe(2);
  });

  it('shows the price without charging', async () => {
    const { statusCode, body } = await person.send(RUN, form('acme/robot', { do: 'price' }));

    expect(statusCode).toBe(200);
    expect(body).toContain('<strong>1 free call</strong>');
    expect(await runsOf(person)).toBe(0);
  });

  it('shows the balance, which a price check does not change, and the balance after the call', async () => {
    const buyer = await world.signIn({ plan: 'free' });
    const price = async () => (await buyer.send(RUN, form('acme/robot', { do: 'price' }))).body;
    const calls = (left: number) =>
      `paid from free calls: ${left} of 25 left now, ${left - 1} after the call. Nothing was charged.`;

    await price();
    expect(await price()).toContain(calls(25));
    for (let n = 0; n < 25; n++) await buyer.send(RUN, form('acme/robot'));
    await giveCredits(world.database, buyer.accountId, 40);
    expect(await price()).toContain(
      'costs <strong>10 credits</strong>, paid from gifted credits: 40 of 40 left now, 30 after the call.',
    );
  });

  it('shows with the price the basis of the current score, or that there is none', async () => {
    await makeListing(world.database, { repository: 'acme/unscored', type: 'agent' });
    const buyer = await world.signIn({ plan: 'free' });
    await buyer.post(RUN, form('acme/robot', hiddenFields((await buyer.get(RUN)).body)));

    const scored = await person.send(RUN, form('acme/robot', { do: 'price' }));
    const unscored = await person.send(RUN, form('acme/unscored', { do: 'price' }));

    expect(scored.body).toMatch(/Basis of its current score: little evidence: \d+ of \d+ signals known\./);
    expect(unscored.body).toContain('It has no score yet.');
  });

  it.each([
    ['', 400, 'Enter what to score'],
    ['x'.repeat(301), 400, '1 to 300'],
    ['nobody/nothing', 404, 'No agent'],
    ['Twin', 409, 'Which one did you mean?'],
  ])(
    'shows the error of %j at its field, keeps the input, and charges nothing',
    async (subject, status, text) => {
      const { statusCode, body } = await person.send(RUN, form(subject));

      expect(statusCode).toBe(status);
      expect(/<p class="error" id="subject-error">(.*?)<\/p>/s.exec(body)?.[1]).toContain(text);
      expect(body).toContain(subject === '' ? ' value maxlength' : `value="${subject}"`);
      expect(await runsOf(person)).toBe(0);
    },
  );

  it('shows the subjects of an ambiguous name, with owner and type, as links that fill in the form', async () => {
    const buyer = await world.signIn({ plan: 'free' });
    const { body } = await buyer.send(RUN, form('Twin'));

    const [, list = ''] = /<ul class="rows" aria-label="Subjects of this name">(.*?)<\/ul>/s.exec(body) ?? [];
    const links = [
      ...list.matchAll(
        /<a href="(\/console\/run[^"]*)"><bdi>([^<]*)<\/bdi><\/a>.*?agent, page .*?href="([^"]*)"/gs,
      ),
    ];
    expect(links.map(([, , name, path]) => [name, path]).sort()).toEqual([
      ['one/twin', '/a/one/twin'],
      ['two/twin', '/a/two/twin'],
    ]);
    const [, href = '', name = ''] = links[0] ?? [];
    const filled = (await buyer.get(href.replaceAll('&amp;', '&'))).body;
    const [, subject = ''] = /name="subject"[^>]* value="([\da-f-]{36})"/.exec(filled) ?? [];
    const sent = await buyer.post(RUN, form(subject, hiddenFields(filled)));
    expect(sent.headers.location).toMatch(/\?done=run$/);
    expect((await buyer.get(String(sent.headers.location))).body).toContain(name);
    expect(await runsOf(buyer)).toBe(1);
  });

  it('rejects forms of another page or session', async () => {
    const { statusCode } = await person.post(RUN, form('acme/robot'));

    expect(statusCode).toBe(403);
    expect(await runsOf(person)).toBe(0);
  });
});
