import { describe, expect, it } from 'vitest';
import { hiddenFields, type Person, useConsole } from '../../../testing/console/console-harness.ts';
import { PLAN_BOOK } from '../../../testing/factories.ts';
import { makeCreator, makeListing } from '../../../testing/subjects/registry.factory.ts';
import { accountBalance } from '../../billing/balance/account-balance.ts';
import { listChildClaims } from '../../directory/own-agents/child-claims.ts';

const world = useConsole();
const LIST = '/console/children';
let made = 0;

async function withChildren(count: number, verified = true): Promise<{ person: Person; childIds: string[] }> {
  const person = await world.signIn();
  const { database } = world;
  const creator = await makeCreator(database, {
    handle: person.handle,
    verified,
    accountId: person.accountId,
  });
  made += 1;
  const parent = await makeListing(database, {
    repository: `parent-${made}/core`,
    type: 'agent',
    creator,
    verified,
  });
  const childIds: string[] = [];
  for (let child = 0; child < count; child += 1) {
    const name = child === 0 ? '<img src=x onerror=alert(1)>' : `child ${child}`;
    const listing = await makeListing(database, {
      repository: `child-${made}-${child}/fork`,
      name,
      parentId: parent.id,
    });
    childIds.push(listing.agentId);
  }
  return { person, childIds };
}

async function acknowledgedOf({ accountId }: Person): Promise<string[]> {
  const page = await listChildClaims(world.database, accountId, {
    acknowledged: true,
    limit: 100,
    cursor: null,
  });
  return page.claims.map(({ record }) => record.agentId);
}

describe('children', () => {
  it('are acknowledged and withdrawn, and filtered by state', async () => {
    const { person, childIds } = await withChildren(2);
    const [child = ''] = childIds;

    const page = await person.get(LIST);
    expect(page.body).toContain('&lt;img src=x onerror=alert(1)>');
    expect(page.body).not.toContain('<img');
    const done = await person.send(`${LIST}/${child}/acknowledge`, {}, LIST);
    expect(done.headers.location).toBe(`${LIST}?done=acknowledged`);
    expect(await acknowledgedOf(person)).toEqual([child]);
    expect((await person.get(`${LIST}?acknowledged=yes`)).body).not.toContain('child 1');
    expect((await person.get(`${LIST}?acknowledged=no`)).body).toContain('child 1');

    await person.send(`${LIST}/${child}/withdraw`, {}, LIST);
    expect(await acknowledgedOf(person)).toEqual([]);
  });

  it('are listed page by page', async () => {
    const { person } = await withChildren(21);

    const first = (await person.get(LIST)).body;
    const next = /href="(\/console\/children\?cursor=[\w-]+)"/.exec(first)?.[1] ?? '';
    const second = (await person.get(next)).body;

    expect(first.match(/>Acknowledge</g)).toHaveLength(20);
    expect(second.match(/>Acknowledge</g)).toHaveLength(1);
    expect(second).toContain('First page');
    expect((await person.get(`${LIST}?cursor=nonsense`)).statusCode).toBe(400);
  });

  it('cannot be acknowledged by an unverified owner, who learns what to do', async () => {
    const { person, childIds } = await withChildren(1, false);
    const token = hiddenFields((await person.get('/console/handle')).body);

    expect((await person.get(LIST)).body).toMatch(/Prove that you own github\.com\/parent-\d+\/core/);
    const answer = await person.post(`${LIST}/${childIds[0]}/acknowledge`, token);

    expect(answer.statusCode).toBe(403);
    expect(await acknowledgedOf(person)).toEqual([]);
  });

  it('of others are unknown', async () => {
    const [{ childIds }, { person }] = [await withChildren(1), await withChildren(0)];
    const token = hiddenFields((await person.get('/console/handle')).body);

    for (const id of [childIds[0], 'AGT-ZZZZZZZZ', 'x']) {
      expect((await person.post(`${LIST}/${id}/acknowledge`, token)).statusCode).toBe(404);
    }
  });
});

const OVERAGE = '/console/plan/overage';

async function agreedBy({ accountId }: Person) {
  const { overageEnabled, overageCap } = await accountBalance(world.database, PLAN_BOOK, accountId);
  return { overageEnabled, overageCap };
}

describe('overage', () => {
  it('can be changed only shortly after a sign-in, with a link back', async () => {
    const person = await world.signIn({ plan: 'builder' });
    const token = hiddenFields((await person.get(`${OVERAGE}?enabled=yes&cap=1200`)).body);
    await world.database.query(
      "UPDATE session SET created_at = created_at - interval '16 minutes' WHERE id = $1",
      [person.sessionId],
    );

    const question = await person.get(`${OVERAGE}?enabled=yes&cap=1200`);
    const agreed = await person.post(OVERAGE, { ...token, enabled: 'yes', cap: '1200' });

    expect([question.statusCode, agreed.statusCode]).toEqual([403, 403]);
    expect(agreed.body).toContain(`/sign-in?next=${encodeURIComponent('/console/plan')}`);
    expect(await agreedBy(person)).toEqual({ overageEnabled: false, overageCap: null });
    expect((await person.get('/console/plan')).statusCode).toBe(200);
  });

  it('is allowed up to a cap after a confirmation, changed, and ended after another', async () => {
    const person = await world.signIn({ plan: 'builder' });

    const question = await person.get(`${OVERAGE}?cap=1,200`);
    expect(question.body).toContain('Allow 1,200 credits of overage a month?');
    expect(await agreedBy(person)).toEqual({ overageEnabled: false, overageCap: null });
    const form = hiddenFields(question.body);
    expect((await person.post(OVERAGE, { ...form, cap: '1200' })).headers.location).toBe(
      '/console/plan?done=on',
    );
    expect(await agreedBy(person)).toEqual({ overageEnabled: true, overageCap: 1200 });
    expect((await person.get('/console/plan')).body).toContain('1,200 credits');

    expect((await person.get(`${OVERAGE}?enabled=no`)).body).toContain('End overage?');
    await person.post(OVERAGE, { ...form, enabled: 'no' });
    expect(await agreedBy(person)).toEqual({ overageEnabled: false, overageCap: null });
  });

  it.each(['', '0', '2001', '-5', '1.5', 'lots', '99999999999', '<script>'])(
    'is rejected with the cap %j, which stays in the field with the error',
    async (cap) => {
      const person = await world.signIn({ plan: 'builder' });

      for (const answer of [
        await person.get(`${OVERAGE}?cap=${encodeURIComponent(cap)}`),
        await person.send(OVERAGE, { cap }, '/console/handle'),
      ]) {
        expect(answer.statusCode).toBe(400);
        expect(answer.body).toMatch(/id="cap-error">[^<]*from 1 to 2,000/);
        expect(answer.body).not.toContain('<script>');
      }
      expect(await agreedBy(person)).toEqual({ overageEnabled: false, overageCap: null });
    },
  );

  it('is not available on a plan without it', async () => {
    const person = await world.signIn();

    expect((await person.get('/console/plan')).body).toContain('Not on the free plan.');
    expect((await person.get(`${OVERAGE}?cap=5`)).statusCode).toBe(400);
    expect((await person.send(OVERAGE, { cap: '5' }, '/console/handle')).statusCode).toBe(400);
  });
});

describe('the session page', () => {
  it('shows who is signed in, and signing out ends only this session', async () => {
    const person = await world.signIn();
    const elsewhere = await world.signInAs(person.accountId);

    expect((await person.get('/console/session')).body).toContain(person.handle);
    const out = await person.send('/sign-out', {}, '/console/session');

    expect(out.statusCode).toBe(303);
    expect((await person.get('/console/session')).statusCode).toBe(303);
    expect((await elsewhere.get('/console/session')).statusCode).toBe(200);
  });

  it('signs out everywhere after a confirmation: all sessions of the account end, others do not', async () => {
    const [person, other] = [await world.signIn(), await world.signIn()];
    const elsewhere = await world.signInAs(person.accountId);

    expect((await person.get('/console/session/everywhere')).body).toContain('Sign out everywhere?');
    expect((await elsewhere.get('/console/session')).statusCode).toBe(200);
    const answer = await person.send('/console/session/everywhere', {});

    expect(answer.headers.location).toBe('/sign-in');
    expect(answer.headers['set-cookie']).toContain('Max-Age=0');
    for (const { get } of [person, elsewhere]) expect((await get('/console/session')).statusCode).toBe(303);
    expect((await other.get('/console/session')).statusCode).toBe(200);
  });
});
