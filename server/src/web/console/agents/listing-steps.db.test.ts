import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, useConsole } from '../../../../testing/console/console-harness.ts';
import { type StandInHost, startStandInHost } from '../../../../testing/stand-ins/stand-in-host.ts';
import { makeCreator, makeListing } from '../../../../testing/subjects/registry.factory.ts';
import { getAgent } from '../../../directory/agents/get-agent.ts';

let host: StandInHost;
beforeAll(async () => {
  host = await startStandInHost();
  host.world.showsAnyRepository = true;
});
afterAll(() => host.close());
const world = useConsole(() => ({ HOST_API_URLS: host.environment, REFRESH_PER_HOUR: '60' }));

async function register(person: Person, repository: string): Promise<string> {
  const { headers } = await person.send('/console/register', {
    repoHostUrl: `https://github.com/${repository}`,
    type: 'agent',
    name: 'Robot',
    description: 'It moves.',
    category: 'automation',
    tags: '',
    parentId: '',
  });
  return String(headers.location);
}

const idIn = (path: string) => /AGT-\w{8}/.exec(path)?.[0] ?? '';
const hidden = (body: string, name: string) =>
  new RegExp(`type="hidden" name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? '';
const linkIn = (body: string, text: string) =>
  new RegExp(`href="([^"]*)"[^>]*>${text}<`).exec(body)?.[1]?.replaceAll('&amp;', '&') ?? '';

describe('from a registration to a badge', () => {
  it('links each step to the next, and can be left and resumed', async () => {
    const person = await world.signIn();
    const account = host.world.account({ handle: 'step-makers' });
    expect((await person.get('/console/register')).body).toContain('Step 1 of 3');
    expect((await person.get('/console?handle=later')).body).not.toContain('REFRESH_PER_HOUR');

    const claimPath = await register(person, 'step-makers/robot');
    const claim = (await person.get(claimPath)).body;
    expect(claim).toContain('Step 2 of 3');
    expect(claim).toMatch(/<dt>Account<\/dt><dd><bdi>step-makers<\/bdi> on github.com/);
    const id = idIn(claimPath);
    const formPath = linkIn(claim, '\\s*Claim it\\s*');
    expect(formPath).toBe(`/console/accounts?host=github.com&handle=step-makers&for=${id}`);
    const form = (await person.get(formPath)).body;
    const fields = {
      host: /<option value="([^"]*)" selected/.exec(form)?.[1] ?? '',
      handle: /name="handle"[^>]* value="([^"]*)"/.exec(form)?.[1] ?? '',
      for: hidden(form, 'for'),
    };
    expect(fields).toEqual({ host: 'github.com', handle: 'step-makers', for: id });
    const begun = await person.send('/console/accounts', fields, formPath);
    // Leave the proof, and find the way back to it from the list of agents.
    const list = (await person.get('/console/agents')).body;
    const back = (await person.get(linkIn(list, 'Claim it'))).body;
    const proofPath = linkIn(back, 'Continue the proof');
    expect(proofPath).toBe(begun.headers.location);
    const proof = (await person.get(proofPath)).body;
    expect(proof).toContain('Step 2 of 3');
    const verify = /action="([^"]*\/verify[^"]*)"/.exec(proof)?.[1] ?? '';
    expect((await person.send(verify, {}, proofPath)).body).toContain(`verify?for=${id}`);
    account.profile = /trust-directory-[2-9a-z0]{20}/.exec(proof)?.[0] ?? '';
    const proved = await person.send(verify, {}, proofPath);

    expect(proved.headers.location).toBe(`/console/agents/${id}/badge?done=claimed`);
    const badge = (await person.get(String(proved.headers.location))).body;
    expect(badge).toContain('Step 3 of 3');
    expect(badge).toMatch(/role="status">Claimed\./);
    expect(badge.match(/class="on-(?:light|dark)"><svg/g)).toHaveLength(2);
    expect(badge).toContain(
      `[![trust](http://127.0.0.1:4000/badge/agent/${id}.svg)](http://127.0.0.1:4000/a/step-makers/robot)`,
    );
    expect((await person.get(claimPath)).body).toMatch(/<h2 id="claim">Claimed<.*Continue to the badge/s);
    expect(await getAgent(world.database, id)).toMatchObject({ verified: true });
  });

  it('shows the same badge as the public page', async () => {
    const person = await world.signIn();
    const id = idIn(await register(person, 'badge-makers/robot'));

    const { body } = await person.get(`/console/agents/${id}/badge`);
    const served = await world.app.inject({ url: `/badge/agent/${id}.svg` });

    const said = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text);
    expect(said(/class="on-dark">(.*?)<\/p>/s.exec(body)?.[1] ?? '')).toEqual(said(served.body));
    expect(said(served.body)).toHaveLength(2);
  });

  it('says that the proved account does not own this repository', async () => {
    const person = await world.signIn();
    const account = host.world.account({ handle: 'other-makers' });
    const id = idIn(await register(person, 'real-makers/robot'));
    const begun = await person.send('/console/accounts', {
      host: 'github.com',
      handle: 'other-makers',
      for: id,
    });
    const path = String(begun.headers.location);
    account.profile = /trust-directory-[2-9a-z0]{20}/.exec((await person.get(path)).body)?.[0] ?? '';

    const { headers } = await person.send(`${path.split('?')[0]}/verify?for=${id}`, {}, path);

    expect(headers.location).toBe(`/console/agents/${id}/claim?done=proved`);
    expect((await person.get(String(headers.location))).body).toContain('does not own this repository');
  });

  it("ignores another account's listing as target of a proof", async () => {
    const [one, other] = [await world.signIn(), await world.signIn()];
    const id = idIn(await register(one, 'foreign-makers/robot'));

    const { headers } = await other.send('/console/accounts', {
      host: 'github.com',
      handle: 'other',
      for: id,
    });

    expect(headers.location).toMatch(/^\/console\/accounts\/[\da-f-]{36}$/);
    expect((await other.get(`${headers.location}?for=${id}`)).body).not.toContain('Step 2 of 3');
  });
});

describe('the repository of a registered listing', () => {
  async function told(look: string | null, on = 'github.com'): Promise<string> {
    const person = await world.signIn();
    const { accountId, handle } = person;
    const creator = await makeCreator(world.database, { host: 'directory', handle, accountId });
    const { id, agentId } = await makeListing(world.database, { creator, host: on });
    if (look !== null)
      await world.database.query(
        `INSERT INTO repository_refresh (listing_id, checked_at, outcome, confirmed_at, next_check_at) SELECT $1, ${look}`,
        [id],
      );
    const { body } = await person.get(`/console/agents/${agentId}/claim`);
    const card = /<h2 id="repository">.*?<\/section>/s.exec(body)?.[0] ?? '';
    return card.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  }
  const AT = "'2026-11-20T10:30:00Z'::timestamptz";
  const NEXT = "'2126-11-21T08:15:00Z'::timestamptz";

  it.each([
    [
      'before its first turn',
      null,
      'We have not checked this repository yet. The check usually runs within an hour',
    ],
    [
      'whose host did not answer',
      `${AT}, 'failed', NULL, ${NEXT}`,
      'We have not checked this repository yet: its host did not answer at 20 Nov 2026, 10:30 (UTC). We will check it again at 21 Nov 2126, 08:15 (UTC)',
    ],
    [
      'that is due again',
      `${AT}, 'failed', NULL, ${AT}`,
      'did not answer at 20 Nov 2026, 10:30 (UTC). We will check it again soon',
    ],
    ['that was read before', `${AT}, 'failed', ${AT}, ${NEXT}`, 'The score still uses the previous check'],
    ['that is not there', `${AT}, 'gone', NULL, ${NEXT}`, 'had no public repository with this name'],
    ['that was read', `${AT}, 'read', ${AT}, ${NEXT}`, 'Checked on its host at 20 Nov 2026, 10:30 (UTC)'],
  ])('(%s) is described, with the time of the next attempt', async (_name, look, sentence) => {
    expect((await told(look)).replaceAll(' .', '.')).toContain(sentence);
  });

  it('on a host that this server does not check waits for the operator', async () => {
    expect(await told(null, 'git.example.org')).toContain('its operator starts these checks');
  });
});
