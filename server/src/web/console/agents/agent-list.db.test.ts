import { describe, expect, it } from 'vitest';
import { hiddenFields, type Person, useConsole } from '../../../../testing/console/console-harness.ts';
import { PLAN_BOOK } from '../../../../testing/factories.ts';
import { makeCreator, makeListing, makeScore } from '../../../../testing/subjects/registry.factory.ts';
import { accountBalance } from '../../../billing/balance/account-balance.ts';
import { saveClaims } from '../../../ownership/handles/listing-claims.queries.ts';

const world = useConsole();
const LIST = '/console/agents';

async function withListings(count: number, name = 'Planner'): Promise<{ person: Person; ids: string[] }> {
  const person = await world.signIn();
  const { database } = world;
  const creator = await makeCreator(database, {
    host: 'directory',
    handle: person.handle,
    accountId: person.accountId,
  });
  const ids: string[] = [];
  for (let each = 0; each < count; each += 1) {
    const listing = await makeListing(database, {
      creator,
      type: 'agent',
      name: `${name} ${each}`,
      license: 'MIT',
    });
    await makeScore(database, listing, { trust: 71.4, confidence: 64, tier: 'high' });
    ids.push(listing.agentId);
  }
  return { person, ids };
}

const versionAt = async (id: string): Promise<string> =>
  (await world.app.inject({ url: `/api/agents/${id}` })).json().scoreVersion;

describe('the list of the account’s own agents', () => {
  it('shows trust, confidence, date, tier and verification of each', async () => {
    const { person, ids } = await withListings(1, '<img src=x onerror=alert(1)>');

    const { body } = await person.get(LIST);

    expect(body).toContain('<strong>Trust 71 · Confidence 64%</strong> · tier high');
    expect(body).toMatch(/class="verdict well_evidenced".*>Well evidenced</);
    expect(body).toContain('datetime="2026-08-01T10:20:30.123456Z"');
    expect(body).toContain('agent · not verified');
    expect(body).toContain(ids[0]);
    expect(body).toContain('&lt;img src=x onerror=alert(1)> 0');
    expect(body).not.toContain('<img');
    expect(body).toMatch(/Refreshing a score is free/);
    expect(body).toMatch(/<a href="\/console\/agents" aria-current="page">Agents<\/a>/);
  });

  it("shows what would raise each score, with the method's points", async () => {
    const { person, ids } = await withListings(1);
    await person.send(`${LIST}/${ids[0]}/score`, {}, LIST);

    const { body } = await person.get(LIST);

    expect(body).toMatch(
      /What would raise the score.*<a href="\/console\/accounts\?host=[^"]+&amp;handle=[^"]+&amp;for=AGT-\w{8}">Claim it<\/a>: prove the account.*<b class="n">\+\d+\.\d<\/b>/s,
    );
    expect(body).not.toContain('State an open-source licence');
  });

  it('links to the registration if nothing is listed', async () => {
    const person = await world.signIn();

    const { body } = await person.get(LIST);

    expect(body).toContain('Nothing is listed yet');
    expect(body).toContain('<a href="/console/register">Register an agent or a skill</a>');
  });

  it('shows the claims that wait, with their reasons, to the claimant and to the account that has the listing', async () => {
    const [{ ids, person: holder }, claimant] = [await withListings(1), await world.signIn()];
    const [other] = [await world.signIn()];
    const [listing] = await world.database.query<{ id: string; repository: string }>(
      'SELECT subject_id AS id, repository FROM listing WHERE agent_id = $1',
      [ids[0]],
    );
    const proved = { host: 'github.com', handle: 'acme<b>', hostAccountId: '7' };
    await saveClaims(world.database, { accountId: claimant.accountId, ...proved }, [
      { id: listing?.id ?? '', reason: 'owner_unknown' },
    ]);

    const shown = async (person: Person) => {
      const [, section = ''] =
        /<h2 id="claims">Claims waiting for a decision<\/h2>(.*?)<\/section>/s.exec(
          (await person.get(LIST)).body,
        ) ?? [];
      return section.replaceAll(/<[^>]*>/g, '');
    };
    const reason = 'as acme&lt;b>; its host does not show who owns it.';
    expect(await shown(claimant)).toContain(`github.com/${listing?.repository}: claimed by you ${reason}`);
    expect(await shown(holder)).toContain(
      `${listing?.repository}: yours, claimed by another account ${reason}`,
    );
    expect(await shown(other)).toBe('');
  });

  it('has several pages, and refreshing a score returns to the same page', async () => {
    const { person, ids } = await withListings(21);

    const first = (await person.get(LIST)).body;
    const next = /href="(\/console\/agents\?cursor=[\w-]+)"/.exec(first)?.[1] ?? '';
    const cursor = next.split('=')[1] ?? '';
    const second = (await person.get(next)).body;
    expect(first.match(/>Refresh score</g)).toHaveLength(20);
    expect(second.match(/>Refresh score</g)).toHaveLength(1);
    expect(second).toContain(`name="cursor" value="${cursor}"`);

    const { headers } = await person.send(`${LIST}/${ids[0]}/score`, { cursor }, next);

    expect(headers.location).toBe(`${LIST}?cursor=${cursor}&done=scored&id=${ids[0]}`);
    expect((await person.get(`${LIST}?cursor=nonsense`)).statusCode).toBe(400);
  });
});

describe('refreshing a score', () => {
  it('shows the new score, updates page, API and badge, and is free', async () => {
    const { person, ids } = await withListings(1);
    const [id = ''] = ids;
    const balance = () => accountBalance(world.database, PLAN_BOOK, person.accountId);
    const [before, left] = [await versionAt(id), await balance()];

    const { statusCode, headers } = await person.send(`${LIST}/${id}/score`, {}, LIST);

    expect([statusCode, headers.location]).toEqual([303, `${LIST}?done=scored&id=${id}`]);
    const version = await versionAt(id);
    expect(version > before).toBe(true);
    const { body } = await person.get(String(headers.location));
    expect(body).toMatch(new RegExp(`role="status">.*Planner 0.* has a new score:.*datetime="${version}"`));
    expect((await world.app.inject({ url: `/badge/agent/${id}.json` })).json().scoreVersion).toBe(version);
    const [listed] = (await person.get('/api/console/agents')).json().data;
    expect(
      (await world.app.inject({ url: new URL(listed.repositoryUrl).pathname.replace('/', '/a/') })).body,
    ).toContain(version);
    expect(await balance()).toEqual(left);
    expect((await person.get('/console/receipts')).body).toContain('No call yet');

    const again = await person.send(`${LIST}/${id}/score`, {}, LIST);
    expect(again.headers.location).toBe(`${LIST}?done=fresh&id=${id}`);
    expect((await person.get(String(again.headers.location))).body).toContain(
      'was scored within the last minute',
    );
    expect(await versionAt(id)).toBe(version);
  });

  it('too soon is rejected on the page itself, and keeps the score', async () => {
    const { person, ids } = await withListings(1);
    const [id = ''] = ids;
    const before = await versionAt(id);
    await world.database.query(
      'INSERT INTO score_refresh SELECT subject_id, ledger_now() FROM listing WHERE agent_id = $1',
      [id],
    );

    const { statusCode, body } = await person.send(`${LIST}/${id}/score`, {}, LIST);

    expect(statusCode).toBe(429);
    expect(body).toMatch(/class="notice bad"[^>]*>[^<]*has no newer score yet/);
    expect(body).toContain('>Refresh score<');
    expect(await versionAt(id)).toBe(before);
  });

  it("is rejected for another's listing, an unknown or invalid id, or without the form’s token", async () => {
    const [{ ids: foreign }, { person, ids }] = [await withListings(1), await withListings(1)];
    const [before, own] = [await versionAt(foreign[0] ?? ''), await versionAt(ids[0] ?? '')];
    const token = hiddenFields((await person.get(LIST)).body);

    for (const id of [foreign[0], 'AGT-ZZZZZZZZ', 'x']) {
      expect((await person.post(`${LIST}/${id}/score`, token)).statusCode).toBe(404);
    }
    expect((await person.post(`${LIST}/${ids[0]}/score`, {})).statusCode).toBe(403);

    expect(await versionAt(foreign[0] ?? '')).toBe(before);
    expect(await versionAt(ids[0] ?? '')).toBe(own);
  });

  it('is confirmed for own listings only, whatever the query says', async () => {
    const [{ ids }, { person }] = [await withListings(1, 'Foreign'), await withListings(1)];

    for (const query of [
      `done=scored&id=${ids[0]}`,
      'done=scored&id=<script>',
      'done=<script>',
      'done=toString',
    ]) {
      const { statusCode, body } = await person.get(`${LIST}?${query}`);
      expect(statusCode).toBe(200);
      expect(body).not.toMatch(/Foreign|has a new score|<script>/);
    }
  });
});
