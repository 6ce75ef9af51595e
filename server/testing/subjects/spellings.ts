import type { SubjectType } from '../../src/scoring/subject-type.ts';
import { account, artifact, creator, listing, type Row, relation } from '../import/rows.ts';

/** Expected pages of a text by requested subject type. A type without an entry finds nothing. */
type Pages = Partial<Record<SubjectType, string>>;

/** A text, its expected pages, and the type found if none is requested (`several`: ambiguous). */
export interface Spelling {
  readonly text: string;
  readonly pages: Pages;
  readonly any: SubjectType | 'several' | 'nobody';
}

/** A small registry with every kind of name. */
export const REGISTRY: readonly Row[] = [
  listing('Acme/Robot', {
    type: 'agent',
    name: 'Map Maker',
    githubRepoId: '1',
    npmPackage: '@acme/robot',
    pypiPackage: 'acme_robot',
    formerRepositories: ['acme/old-robot'],
    probablyRenamedTo: 'acme/guessed',
  }),
  listing('acme/robot', { host: 'gitlab.com', type: 'agent' }),
  listing('acme/skills', { name: 'Skill Box' }),
  listing('acme/renamed'),
  relation('renamed_to', 'acme/before', 'acme/renamed'),
  relation('probable_rename_to', 'acme/perhaps', 'acme/renamed', { stated: false }),
  artifact('acme/robot', 'Draw/Maps'),
  artifact('acme/skills', 'guide', { kind: 'agent', path: null }),
  creator('acme', { displayName: 'Acme Inc' }),
  account('x', 'AcmeLabs', { name: 'Acme Labs', formerHandles: ['acme_x'], platformAccountId: '77' }),
  account('mastodon', '@alice@mastodon.social'),
  account('linkedin', 'company/acme'),
  account('telegram', 'acme_news', { type: 'messaging_account', kind: 'channel', name: 'Acme News' }),
  account('x', 'twice'),
  account('bluesky', 'twice'),
];

const robot: Pages = { agent: '/a/Acme/Robot', skill: '/s/Acme/Robot/Draw%2FMaps' };
const onlyRobot: Pages = { agent: '/a/Acme/Robot' };
const drawMaps: Pages = { skill: '/s/Acme/Robot/Draw%2FMaps' };
const skills: Pages = { skill: '/s/acme/skills', agent: '/a/acme/skills/guide' };
const renamed: Pages = { skill: '/s/acme/renamed' };
const acme: Pages = { creator: '/c/acme' };
const labs: Pages = { social_account: '/u/x/AcmeLabs' };
const alice: Pages = { social_account: '/u/mastodon.social/alice' };
const company: Pages = { social_account: '/u/linkedin/company%2Facme' };
const news: Pages = { messaging_account: '/m/telegram/acme_news' };

const of = (any: Spelling['any'], pages: Pages, ...texts: string[]): Spelling[] =>
  texts.map((text) => ({ text, pages, any }));

/** All supported spellings of the names in that registry. `{SITE}` is the address of the site. */
export const SPELLINGS: readonly Spelling[] = [
  ...of(
    'agent',
    robot,
    'acme/robot',
    'Acme/Robot',
    ' acme/robot ',
    'acme/robot.git',
    'https://github.com/acme/robot',
    'HTTPS://GitHub.com/ACME/robot.git/',
    'http://www.github.com/acme/robot',
    'git@github.com:acme/robot.git',
    'ssh://git@github.com/acme/robot.git',
    'git+https://github.com/acme/robot.git',
    'github.com/acme/robot',
    'github:acme/robot',
    'https://github.com/acme/robot/tree/main',
    'acme/old-robot',
    'git@github.com:acme/old-robot.git',
    '{SITE}/acme/robot',
    '/Acme/Robot',
  ),
  ...of(
    'agent',
    onlyRobot,
    '/a/acme/robot',
    '{SITE}/a/Acme/Robot',
    'npm:@acme/robot',
    '@acme/robot',
    'https://www.npmjs.com/package/@acme/robot',
    'pypi:acme-robot',
    'https://pypi.org/project/Acme.Robot/',
    'Map Maker',
    'map   maker',
  ),
  ...of('agent', { agent: '/a/id/{OTHER_HOST}' }, 'gitlab.com/acme/robot', 'git@gitlab.com:acme/robot.git'),
  ...of(
    'skill',
    drawMaps,
    'acme/robot#Draw/Maps',
    'https://github.com/acme/robot#draw/maps',
    'acme/robot/skills/Draw/Maps',
    'https://github.com/acme/robot/blob/main/skills/draw/maps/SKILL.md',
    'acme/old-robot#draw/maps',
    '/s/acme/robot/Draw%2FMaps',
    '{SITE}/s/Acme/Robot/draw%2fmaps',
  ),
  ...of('skill', skills, 'acme/skills', 'https://github.com/acme/skills'),
  ...of('skill', { skill: '/s/acme/skills' }, 'Skill Box', '/s/acme/skills', 'skills'),
  ...of('agent', { agent: '/a/acme/skills/guide' }, 'acme/skills#guide', '/a/acme/skills/guide', 'guide'),
  ...of('skill', renamed, 'acme/renamed', 'acme/before', 'https://github.com/Acme/Before.git'),
  ...of('creator', acme, '@acme', 'acme', 'github:acme', 'github.com:Acme', '/c/acme', '{SITE}/c/Acme'),
  ...of('creator', acme, 'https://github.com/acme', 'github.com/acme/', 'Acme Inc'),
  ...of(
    'social_account',
    labs,
    '@AcmeLabs',
    'acmelabs',
    'x:acmelabs',
    'twitter:@AcmeLabs',
    'https://x.com/AcmeLabs',
    'https://twitter.com/acmelabs?lang=en',
    'x.com/acmelabs',
    '/u/x/AcmeLabs',
    '{SITE}/u/x/acmelabs',
    'Acme Labs',
    'x:acme_x',
    '@acme_x',
    'x:id/77',
  ),
  ...of(
    'social_account',
    alice,
    '@alice@mastodon.social',
    'mastodon.social:alice',
    'https://mastodon.social/@alice',
    'https://mastodon.social/users/alice',
    '@alice',
    '/u/mastodon.social/alice',
  ),
  ...of('social_account', company, 'https://www.linkedin.com/company/acme/', 'linkedin:company/acme'),
  ...of(
    'messaging_account',
    news,
    'telegram:acme_news',
    '@acme_news',
    'acme_news',
    'https://t.me/acme_news',
    't.me/s/acme_news',
    'telegram.me/acme_news',
    '/m/telegram/acme_news',
    '{SITE}/m/telegram/acme_news',
    'Acme News',
  ),
  ...of('social_account', { social_account: '/u/x/twice' }, 'x:twice', '/u/x/twice'),
  ...of('several', { social_account: 'several' }, '@twice', 'twice'),
  ...of('several', { agent: 'several' }, 'robot'),
  ...of(
    'nobody',
    {},
    'acme/guessed',
    'acme/perhaps',
    'acme/nothing',
    'npm:robot',
    'pypi:nothing',
    '@nobody',
    'x:nobody',
    'telegram:AcmeLabs',
    'https://x.com/AcmeLabs/status/1',
    'https://www.linkedin.com/in/acme',
    'acme/robot#nothing',
    'acme/robot/skills/nothing',
    '{SITE}/api/agents',
    'AGT-ZZZZZZZZ',
    '00000000-0000-4000-8000-000000000000',
  ),
];
