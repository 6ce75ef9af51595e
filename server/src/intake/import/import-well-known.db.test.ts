import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { listing } from '../../../testing/import/rows.ts';

const DOMAIN = 'labs.example';
const DIGEST = `sha256:${'0'.repeat(64)}`;

let work: ImportWorkspace;
beforeAll(async () => {
  work = await createImportWorkspace();
});
beforeEach(async () => {
  await work.store(listing('acme/robot', { homepage: `https://${DOMAIN}/robot` }), listing('acme/other'));
});
afterEach(() => work.empty());
afterAll(() => work.close());

const card = (overrides: object = {}) => ({
  name: 'Robot',
  version: '1.2.0',
  documentationUrl: 'https://github.com/acme/robot',
  supportedInterfaces: [{ url: `https://${DOMAIN}/a2a`, protocolBinding: 'JSONRPC' }],
  ...overrides,
});
const index = (skills: readonly object[]) => ({
  $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
  skills: skills.map((skill) => ({ type: 'skill-md', description: 'Text.', digest: DIGEST, ...skill })),
});
const file = (repository: string, name: string) =>
  `https://github.com/${repository}/blob/main/${name}/SKILL.md`;
const SKILLS = [
  { name: 'here', url: `https://${DOMAIN}/skills/here/SKILL.md` },
  { name: 'one', url: file('acme/robot', 'one') },
  { name: 'two', url: file('acme/robot', 'two') },
  { name: 'stray', url: file('acme/other', 'stray') },
];

/** Puts the domain on the schedule, as a refresh does with the operator's list. */
const trust = (checkedAt: string | null = null) =>
  work.database.query(
    `INSERT INTO source_reading (source, item, host, checked_at, outcome)
     VALUES ('well-known', $1, $1, $2::timestamptz, CASE WHEN $2 IS NULL THEN NULL ELSE 'read' END)`,
    [DOMAIN, checkedAt],
  );
const facts = () =>
  work.database.query<{ fact: string; value: unknown }>(
    `SELECT l.repository, o.fact, o.value, o.source FROM observed_fact o JOIN listing l USING (subject_id) ORDER BY 2`,
  );

it('recognises agent cards and indexes of skills by their shape, and stores what they say of own listings', async () => {
  await trust();

  const { kinds } = await work.store(card(), index(SKILLS));
  const again = await work.store(card(), index(SKILLS));

  const counts = { read: 1, added: 0, changed: 1, unchanged: 0, rejected: 0 };
  expect([kinds.agent_card, kinds.skills_index]).toEqual([counts, counts]);
  expect([again.kinds.agent_card.unchanged, again.kinds.skills_index.unchanged]).toEqual([1, 1]);
  const common = { repository: 'acme/robot', source: DOMAIN };
  const skills = [
    { name: 'one', digest: DIGEST },
    { name: 'two', digest: DIGEST },
  ];
  expect(await facts()).toEqual([
    { ...common, fact: 'agent_card', value: { name: 'Robot', version: '1.2.0', provider: null } },
    { ...common, fact: 'skills_index', value: { name: 'one', digest: DIGEST, skills } },
  ]);
});

it('counts files as read when the operator says, because they have no date', async () => {
  await trust();

  await work.run([await work.file([card(), index(SKILLS)])], { readAt: new Date('2026-02-03') });

  const times = await work.database.query('SELECT observed_at AS at FROM observed_fact');
  expect(times).toEqual([{ at: new Date('2026-02-03') }, { at: new Date('2026-02-03') }]);
  expect(work.shown).toContain('  agent cards count as read at 2026-02-03 00:00 UTC, as --read-at says');
});

it('refuses files of domains that nobody has confirmed, and says why', async () => {
  const { kinds } = await work.store(card(), index(SKILLS));

  expect([kinds.agent_card.rejected, kinds.skills_index.rejected]).toEqual([1, 1]);
  expect((await work.rejects()).map(({ code }) => code)).toEqual(['not_listed', 'not_listed']);
  expect(await facts()).toEqual([]);
});

it('changes nothing of a domain that was read already, because a file has no date', async () => {
  await trust('2026-11-01T00:00:00Z');

  expect((await work.store(card())).kinds.agent_card).toMatchObject({ unchanged: 1 });
  expect(await facts()).toEqual([]);
});

it('refuses what is not in the documented form', async () => {
  await trust();

  const { kinds } = await work.store(
    card({ supportedInterfaces: [] }),
    card({ supportedInterfaces: [{ url: 'http://labs.example' }] }),
    index([{ name: 'here', url: '/skills/here/SKILL.md' }]),
    { ...index(SKILLS), $schema: 'https://other.example' },
  );

  expect([kinds.agent_card.rejected, kinds.skills_index.rejected]).toEqual([2, 2]);
});
