import { describe, expect, it } from 'vitest';
import { hiddenFields, useConsole } from '../../../../testing/console/console-harness.ts';
import { makeKey } from '../../../../testing/factories.ts';
import { authenticate } from '../../../access/callers/authenticate.ts';
import { listKeys } from '../../../access/keys/list-keys.ts';
import { hashSecret } from '../../../platform/http/credentials/secret.ts';

const world = useConsole();
const NEW = '/console/keys/new';
const FIELDS = { name: 'ci', scopes: ['scores:read', 'lineage:read'], expires: '' };

const secretIn = (body: string) => /svc_live_[0-9A-Za-z]{38}/.exec(body)?.[0] ?? '';
const keysOf = (accountId: string) => listKeys(world.database, accountId);

describe('a key made in the console', () => {
  it("works at once, with the form's name, scopes and expiry, and shows its secret only once", async () => {
    const person = await world.signIn({ plan: 'builder' });

    const answer = await person.send(NEW, { ...FIELDS, expires: '2090-02-28' });

    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const secret = secretIn(answer.body);
    const principal = await authenticate(world.database, { kind: 'key', hash: hashSecret(secret) }, null);
    expect(principal).toMatchObject({ accountId: person.accountId, scopes: ['scores:read', 'lineage:read'] });
    const [key] = await keysOf(person.accountId);
    expect(key).toMatchObject({ name: 'ci', expires_at: '2090-02-28T23:59:59.000000Z', state: 'active' });
    expect((await person.get('/console/keys')).body).not.toContain(secret);
  });

  it('is created once, however often its form is sent, also concurrently', async () => {
    const person = await world.signIn({ plan: 'builder' });
    const form = { ...FIELDS, ...hiddenFields((await person.get(NEW)).body) };

    const answers = await Promise.all([person.post(NEW, form), person.post(NEW, form)]);
    answers.push(await person.post(NEW, form));

    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 303, 303]);
    for (const { headers } of answers.filter(({ statusCode }) => statusCode === 303)) {
      expect(headers.location).toBe('/console/keys?done=made-before');
    }
    expect(await keysOf(person.accountId)).toHaveLength(2);
    expect((await person.get('/console/keys?done=made-before')).body).toContain(
      'did not create a second one',
    );
  });

  it("is rejected for a forged form token, or another session's", async () => {
    const person = await world.signIn({ plan: 'builder' });
    const own = hiddenFields((await person.get(NEW)).body);
    const other = await world.signInAs(person.accountId);
    const foreign = hiddenFields((await other.get(NEW)).body);

    for (const mark of [
      '',
      'x.y',
      `00000000-0000-7000-8000-000000000000.${own.one_key?.split('.')[1]}`,
      foreign.one_key ?? '',
    ]) {
      expect((await person.post(NEW, { ...FIELDS, ...own, one_key: mark })).statusCode).toBe(403);
    }
    expect(await keysOf(person.accountId)).toHaveLength(1);
  });

  it.each([
    [{ name: '' }, 'name', 'Enter a name for the key'],
    [{ name: 'x'.repeat(101) }, 'name', '1 to 100'],
    [{ scopes: [] }, 'scopes', 'at least one'],
    [{ scopes: ['mcp:invoke'] }, 'scopes', 'at least one'],
    [{ expires: '2090-02-30' }, 'expires', 'YYYY-MM-DD'],
    [{ expires: 'soon' }, 'expires', 'YYYY-MM-DD'],
    [{ expires: '2020-01-01' }, 'expires', 'today or later'],
    [{ expires: '0000-01-01' }, 'expires', 'today or later'],
  ])(
    'is rejected if the form is invalid (%j), with the error at its field and the other input kept',
    async (wrong, field, sentence) => {
      const person = await world.signIn({ plan: 'builder' });

      const { statusCode, body } = await person.send(NEW, { ...FIELDS, ...wrong });

      expect(statusCode).toBe(400);
      expect(body).toMatch(new RegExp(`<p class="error" id="${field}-error">[^<]*${sentence}`));
      expect(body).toMatch(new RegExp(`aria-describedby="[^"]*${field}-error`));
      expect(body).toMatch(new RegExp(`<div class="notice bad" role="alert">.*<a href="#${field}">`, 's'));
      expect(body.match(/autofocus/g)).toHaveLength(1);
      if (field !== 'name') expect(body).toContain('value="ci"');
      if (field !== 'scopes') expect(body).toMatch(/value="lineage:read" checked/);
      expect(await keysOf(person.accountId)).toHaveLength(1);
    },
  );

  it('is rejected if the plan has no free slot, which the form states beforehand', async () => {
    const person = await world.signIn();

    expect((await person.get('/console/keys')).body).toContain('no slot is free');
    expect((await person.get(NEW)).body).toMatch(/no slot is free.*href="\/console\/keys"/s);
    // Free a slot, open the form, and take the slot again before the form is sent: the response must report the limit.
    const [key] = await keysOf(person.accountId);
    await person.send(`/console/keys/${key?.id}/pause`, {}, '/console/keys');
    const form = hiddenFields((await person.get(NEW)).body);
    await person.send(`/console/keys/${key?.id}/resume`, {}, '/console/keys');
    const { statusCode, body } = await person.post(NEW, { ...form, ...FIELDS });

    expect(statusCode).toBe(400);
    expect(body).toContain('The free plan has one active key');
    expect(await keysOf(person.accountId)).toHaveLength(1);
  });
});

describe('an existing key', () => {
  it('can be paused and resumed; pausing frees its slot', async () => {
    const person = await world.signIn();
    const [key] = await keysOf(person.accountId);

    const paused = await person.send(`/console/keys/${key?.id}/pause`, {}, '/console/keys');
    expect(paused.headers.location).toBe('/console/keys?done=paused');
    expect((await keysOf(person.accountId))[0]?.state).toBe('inactive');
    await makeKey(world.database, person.accountId);
    const full = await person.send(`/console/keys/${key?.id}/resume`, {}, '/console/keys');
    expect(full.statusCode).toBe(409);
    expect(full.body).toContain('href="/console/keys">Back</a>');

    const [second] = await keysOf(person.accountId);
    await person.send(`/console/keys/${second?.id}/revoke`, {});
    expect((await person.send(`/console/keys/${key?.id}/resume`, {}, '/console/keys')).statusCode).toBe(303);
    expect((await keysOf(person.accountId)).map(({ state }) => state)).toEqual(['revoked', 'active']);
  });

  it('is revoked only after a confirmation; a second time changes nothing', async () => {
    const person = await world.signIn();
    const [key] = await keysOf(person.accountId);
    const path = `/console/keys/${key?.id}/revoke`;

    const question = await person.get(path);
    expect(question.body).toContain('You cannot undo this');
    expect((await keysOf(person.accountId))[0]?.state).toBe('active');
    const form = hiddenFields(question.body);
    for (let time = 0; time < 2; time += 1) expect((await person.post(path, form)).statusCode).toBe(303);

    expect((await keysOf(person.accountId))[0]?.state).toBe('revoked');
    expect((await person.get(path)).statusCode).toBe(400);
  });

  it('can be replaced on a plan with one slot: creating the new one revokes the old one', async () => {
    const person = await world.signIn();
    const [old] = await keysOf(person.accountId);
    const path = `/console/keys/${old?.id}/replace`;
    const form = hiddenFields((await person.get(path)).body);

    const answer = await person.post(path, { ...form, name: 'next', expires: '' });

    expect(secretIn(answer.body)).not.toBe('');
    const [fresh, former] = await keysOf(person.accountId);
    expect([fresh?.name, fresh?.state, former?.state]).toEqual(['next', 'active', 'revoked']);
    expect(fresh?.scopes).toEqual(old?.scopes);
    // Send the form again, like a reload: the old key is already revoked, and the response says where the new key is.
    const again = await person.post(path, { ...form, name: 'next', expires: '' });
    expect([again.statusCode, again.headers.location]).toEqual([303, '/console/keys?done=replaced-before']);
    expect((await person.get('/console/keys?done=replaced-before')).body).toContain(
      'the new key is in this list',
    );
    expect(await keysOf(person.accountId)).toHaveLength(2);
  });

  it("keeps the input if the requested expiry is later than the old key's", async () => {
    const person = await world.signIn({ plan: 'builder' });
    const key = await makeKey(world.database, person.accountId, { expiresAt: '2089-01-01T00:00:00Z' });

    const answer = await person.send(`/console/keys/${key.id}/replace`, {
      name: 'later',
      expires: '2090-01-01',
    });

    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('no later than the key it replaces');
    expect(answer.body).toContain('value="later"');
  });

  it('of another account looks like an unknown one', async () => {
    const [one, other] = [await world.signIn(), await world.signIn()];
    const [foreign] = await keysOf(other.accountId);
    const token = hiddenFields((await one.get('/console/keys')).body);

    for (const id of [foreign?.id ?? '', '3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55', 'no-id']) {
      for (const page of ['revoke', 'replace']) {
        expect((await one.get(`/console/keys/${id}/${page}`)).statusCode).toBe(404);
      }
      for (const action of ['pause', 'resume', 'revoke', 'replace']) {
        const form = { ...token, name: 'x', expires: '' };
        expect((await one.post(`/console/keys/${id}/${action}`, form)).statusCode).toBe(404);
      }
    }
    expect((await keysOf(other.accountId))[0]?.state).toBe('active');
  });
});

describe('creating and replacing keys', () => {
  it('requires a recent sign-in, and returns to the page', async () => {
    const person = await world.signIn({ plan: 'builder' });
    const [key] = await keysOf(person.accountId);
    const form = { ...FIELDS, ...hiddenFields((await person.get(NEW)).body) };
    await world.database.query(
      "UPDATE session SET created_at = created_at - interval '16 minutes' WHERE id = $1",
      [person.sessionId],
    );

    for (const path of [NEW, `/console/keys/${key?.id}/replace`]) {
      const page = await person.get(path);
      expect(page.statusCode).toBe(403);
      expect(page.body).toContain(`href="/sign-in?next=${encodeURIComponent(path)}"`);
      expect((await person.post(path, form)).statusCode).toBe(403);
    }
    expect((await person.get('/console/keys')).statusCode).toBe(200);
    expect(await keysOf(person.accountId)).toHaveLength(1);
  });
});

describe('if loading the sample call beside the secret fails', () => {
  it.each(['new', 'replaced'])(
    'no %s key is created, because its secret could not be shown',
    async (which) => {
      const person = await world.signIn({ plan: 'builder' });
      const [old] = await keysOf(person.accountId);
      const path = which === 'new' ? NEW : `/console/keys/${old?.id}/replace`;
      const form = { ...FIELDS, ...hiddenFields((await person.get(path)).body) };
      await world.database.query('ALTER TABLE platform_account RENAME TO platform_account_away');

      const answer = await person.post(path, form);
      await world.database.query('ALTER TABLE platform_account_away RENAME TO platform_account');

      expect(answer.statusCode).toBe(500);
      expect(await keysOf(person.accountId)).toEqual([old]);
    },
  );
});
