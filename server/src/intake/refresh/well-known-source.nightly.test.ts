import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeAccount } from '../../../testing/factories.ts';
import { listing } from '../../../testing/import/rows.ts';
import { createRefreshWorkspace, type RefreshWorkspace } from '../../../testing/refresh/refresh-workspace.ts';
import { createHosts, type Hosts } from '../../hosts/create-hosts.ts';
import { wellKnownSource } from './well-known-source.ts';

const CARD = '/.well-known/agent-card.json';
const INDEX = '/.well-known/agent-skills/index.json';
const DIGEST = `sha256:${'a'.repeat(64)}`;
const NAME = 'acme.example';

let work: RefreshWorkspace;
let hosts: Hosts;
let wellKnownDomains: { domain: string; url: string }[];

beforeEach(async () => {
  work = await createRefreshWorkspace();
  const { origin } = new URL(work.standIn.hostApiUrls[0]?.url ?? '');
  wellKnownDomains = [{ domain: NAME, url: `${origin}/web` }];
  const publicUrl = 'https://directory.example';
  hosts = createHosts({ publicUrl, hostApiUrls: [], hostApiTokens: [], wellKnownDomains });
  await work.store(
    listing('acme/robot', { homepage: `https://www.${NAME}/robot` }),
    listing('acme/skills'),
    listing('mallory/robot'),
  );
});
afterEach(async () => {
  await hosts.close();
  await work.close();
});

const source = (domains = wellKnownDomains) =>
  wellKnownSource({ database: work.database, hosts, wellKnownDomains: domains });
const refresh = (domains = wellKnownDomains) => work.refreshFrom(source(domains));
const facts = () =>
  work.database.query<{ repository: string; fact: string; value: unknown }>(
    `SELECT l.repository, o.fact, o.value, o.source, o.url FROM observed_fact o
     JOIN listing l ON l.subject_id = o.subject_id ORDER BY 1, 2`,
  );

/** Creates an agent card in the JSON form of A2A 1.0. */
const card = (repository: string, overrides = {}) =>
  JSON.stringify({
    name: 'Robot',
    description: 'Does things.',
    supportedInterfaces: [{ url: `https://${NAME}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    provider: { url: `https://${NAME}`, organization: 'Acme' },
    version: '1.2.0',
    documentationUrl: `https://github.com/${repository}`,
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    ...overrides,
  });
const index = (skills: object[], overrides = {}) =>
  JSON.stringify({
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: skills.map((skill) => ({ type: 'skill-md', description: 'Text.', digest: DIGEST, ...skill })),
    ...overrides,
  });
const publish = (path: string, text: string) => {
  work.standIn.world.webFiles[path] = text;
};

/** Stores a proof of an organisation by the DNS record of the domain. */
async function prove(hostAccountId: string): Promise<void> {
  const { accountId } = await makeAccount(work.database);
  await work.database.query(
    `INSERT INTO linked_account (id, account_id, kind, host, handle, proved_at, proved_by, host_account_id,
       checked_at, check_due_at, code_place, domain)
     VALUES (gen_random_uuid(), $1, 'repo_host', 'github.com', 'acme', ledger_now(), 'code', $2, ledger_now(),
       ledger_now(), 'dns_record', $3)`,
    [accountId, hostAccountId, NAME],
  );
}

describe('what a domain publishes', () => {
  it('is a fact of the listing that it names, if the repository names the domain, and queues its score', async () => {
    publish(CARD, card('Acme/robot'));
    await work.database.query('DELETE FROM score_due');

    const { outcomes } = await refresh();

    expect([outcomes, await facts()]).toEqual([
      { read: 1 },
      [
        {
          repository: 'acme/robot',
          fact: 'agent_card',
          value: { name: 'Robot', version: '1.2.0', provider: 'Acme' },
          source: NAME,
          url: `https://${NAME}${CARD}`,
        },
      ],
    ]);
    expect(await work.database.query('SELECT FROM score_due')).toHaveLength(1);
  });

  it('is a fact of a repository of the organisation whose domain it is, and of no other', async () => {
    await work.database.query("UPDATE listing SET host_owner_id = '7' WHERE repository = 'acme/skills'");
    await work.database.query("UPDATE listing SET host_owner_id = '8' WHERE repository = 'mallory/robot'");
    const skills = [
      { name: 'own', url: 'https://raw.githubusercontent.com/acme/skills/main/own/SKILL.md' },
      { name: 'second', url: 'https://github.com/acme/skills/blob/main/second/SKILL.md' },
      { name: 'foreign', url: 'https://github.com/mallory/robot/blob/main/SKILL.md' },
      { name: 'here', url: '/.well-known/agent-skills/here/SKILL.md' },
      { name: 'Not A Name', url: 'https://github.com/acme/robot' },
    ];
    publish(INDEX, index(skills));
    await refresh();
    const unproved = await facts();
    await prove('7');
    await work.makeDue();

    await refresh();

    expect([unproved, await facts()]).toEqual([
      [],
      [
        {
          repository: 'acme/skills',
          fact: 'skills_index',
          value: {
            name: 'own',
            digest: DIGEST,
            skills: [
              { name: 'own', digest: DIGEST },
              { name: 'second', digest: DIGEST },
            ],
          },
          source: NAME,
          url: `https://${NAME}${INDEX}`,
        },
      ],
    ]);
  });

  it('is read only on domains of the list and of proved organisations, and forgotten with them', async () => {
    publish(CARD, card('acme/robot'));
    await refresh();
    const before = await facts();

    const none = await source([]).prepare();
    const after = await facts();
    await prove('7');
    const proved = await source([]).prepare();
    await work.database.query("UPDATE linked_account SET checked_at = ledger_now() - interval '61 days'");

    expect([before.length, none, after, proved]).toEqual([1, [], [], [NAME]]);
    expect(await source([]).prepare()).toEqual([]);
    expect(await work.database.query('SELECT FROM source_reading')).toEqual([]);
  });

  it('is asked for only if it has changed, and removed when it is gone', async () => {
    publish(CARD, card('acme/robot'));
    await refresh();
    await work.makeDue();
    await refresh();
    const second = work.standIn.requests.filter(({ path }) => path.endsWith(CARD)).at(-1);
    const kept = await facts();
    delete work.standIn.world.webFiles[CARD];
    await work.makeDue();

    await refresh();

    expect([second?.status, kept.length, await facts()]).toEqual([304, 1, []]);
  });

  it.each([
    ['a card without a version', CARD, card('acme/robot', { version: undefined })],
    ['a card without an interface', CARD, card('acme/robot', { supportedInterfaces: [] })],
    ['a card with an invisible name', CARD, card('acme/robot', { name: '\u202e\u200b' })],
    ['an index of another version', INDEX, index([], { $schema: 'https://schemas.agentskills.io/9/x.json' })],
    ['an index without a version', INDEX, index([], { $schema: undefined })],
    ['no JSON', CARD, '<html>'],
  ])('counts for nothing as %s', async (_, path, text) => {
    publish(CARD, card('acme/robot'));
    publish(path, text);

    expect([(await refresh()).outcomes, await facts()]).toEqual([{ failed: 1 }, []]);
  });

  it.each([
    ['a redirect elsewhere', { kind: 'answer', status: 302, headers: { location: 'http://127.0.0.1:9/' } }],
    ['an endless file', { kind: 'endless' }],
    ['403', { kind: 'answer', status: 403 }],
    ['500', { kind: 'answer', status: 500 }],
    ['a page in place of the card', { kind: 'answer', status: 200, body: '<html>' }],
    ['a card of another form', { kind: 'answer', status: 200, body: '{"name":["Robot"]}' }],
    ['a hang-up', { kind: 'hang_up' }],
  ] as const)('stays what it was on %s', async (_, trouble) => {
    publish(CARD, card('acme/robot'));
    await refresh();
    await work.makeDue();
    work.standIn.trouble(trouble);

    expect([(await refresh()).outcomes, (await facts()).length]).toEqual([{ failed: 1 }, 1]);
  });

  it('is waited for as long as the domain asks', async () => {
    work.standIn.trouble({ kind: 'answer', status: 429, headers: { 'retry-after': '90' } });

    expect(await refresh()).toMatchObject({ outcomes: {}, stillDue: 1, retryAfterSeconds: 90 });
  });
});
