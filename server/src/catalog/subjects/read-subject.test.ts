import { describe, expect, it } from 'vitest';
import { expectEveryRow } from '../../../testing/every-row.ts';
import type { SubjectType } from '../../scoring/subject-type.ts';
import { createPublicUrls } from './public-path.ts';
import { aliasesOf } from './read-subject.ts';

const publicUrls = createPublicUrls('https://trust.example');
const id = '0190f5c2-7b1e-7c3a-9d4e-5f60718293a4';

function labels(text: string, type: SubjectType = 'skill'): string[] {
  return aliasesOf(text, type, publicUrls);
}

/** A text, the type of the subject that it has to name, and its aliases. */
interface Reading {
  readonly text: string;
  readonly type: SubjectType;
  readonly expected: readonly string[];
}

const each = (
  expected: readonly string[],
  texts: readonly string[],
  type: SubjectType = 'skill',
): Reading[] => texts.map((text) => ({ text, type, expected }));

/** Texts that name a repository on its host or, if that is no listing, the only artifact inside it. */
const REPOSITORIES = [
  'https://github.com/Acme/Robot',
  'http://github.com/acme/robot',
  'https://www.github.com/acme/robot',
  'https://GITHUB.com/ACME/ROBOT/',
  'https://github.com/acme/robot.git',
  'https://github.com/acme/robot.git/',
  'git@github.com:acme/robot.git',
  'github.com:acme/robot',
  'github:acme/robot',
  'ssh://git@github.com/acme/robot.git',
  'ssh://git@github.com:22/acme/robot.git',
  'git+ssh://git@github.com:acme/robot.git',
  'git+https://github.com/acme/robot.git',
  'git://github.com/acme/robot.git',
  'github.com/acme/robot',
  'www.github.com/acme/robot/',
  '  https://github.com/acme/robot  ',
  'https://github.com/acme/robot?tab=readme-ov-file',
  'https://user:secret@github.com/acme/robot',
  'https://github.com/acme/robot/tree/main',
  'https://github.com/acme//robot',
  'https://github.com/a%63me/robot',
];
/** Texts that name one artifact, and never the whole repository. */
const ARTIFACTS: readonly (readonly [string, string])[] = [
  ['https://github.com/acme/robot#Map Maker', 'github.com/acme/robot#map maker'],
  ['git@github.com:acme/robot.git#c# expert', 'github.com/acme/robot#c# expert'],
  ['github.com/acme/robot/skills/Maps', 'github.com/acme/robot//skills/maps'],
  ['https://github.com/acme/robot/tree/main/skills/maps/', 'github.com/acme/robot//skills/maps'],
  ['https://github.com/acme/robot/blob/v1/skills/maps/SKILL.md', 'github.com/acme/robot//skills/maps'],
  ['https://gitlab.com/acme/robot/-/tree/main/skills/maps', 'gitlab.com/acme/robot//skills/maps'],
  ['https://codeberg.org/acme/robot/src/branch/main/skills', 'codeberg.org/acme/robot//skills'],
  ['https://bitbucket.org/acme/robot/src/main/skills', 'bitbucket.org/acme/robot//skills'],
  ['https://github.com/acme/robot/src/aws', 'github.com/acme/robot//src/aws'],
];
const PACKAGES: readonly (readonly [string, string])[] = [
  ['npm:@Acme/Robot', 'npm:@acme/robot'],
  ['@acme/robot', 'npm:@acme/robot'],
  ['https://www.npmjs.com/package/@acme/robot', 'npm:@acme/robot'],
  ['npmjs.com/package/@acme/robot/v/1.2.3', 'npm:@acme/robot'],
  ['https://registry.npmjs.org/@acme%2frobot', 'npm:@acme/robot'],
  ['https://registry.npmjs.org/robot', 'npm:robot'],
  ['npm:robot', 'npm:robot'],
  ['pypi:Acme_Robot..Maps', 'pypi:acme-robot-maps'],
  ['https://pypi.org/project/acme.robot/', 'pypi:acme-robot'],
  ['https://pypi.org/project/acme-robot/1.0/', 'pypi:acme-robot'],
  ['npm:robot@1.2.3', 'npm:robot'],
  ['npm:@Acme/Robot@^1.0', 'npm:@acme/robot'],
  ['@acme/robot@latest', 'npm:@acme/robot'],
  ['https://www.npmjs.com/package/robot@1.2.3', 'npm:robot'],
  ['pypi:Acme_Robot==1.0', 'pypi:acme-robot'],
  ['pypi:acme-robot@1.0', 'pypi:acme-robot'],
  ['pypi:acme-robot[maps]>=1.0', 'pypi:acme-robot'],
  ['pkg:npm/robot', 'npm:robot'],
  ['pkg:npm/robot@1.2.3', 'npm:robot'],
  ['pkg:npm/%40acme/robot@1.2.3?arch=x#lib', 'npm:@acme/robot'],
  ['pkg:npm/@acme/robot', 'npm:@acme/robot'],
  ['PKG:NPM/%40Acme%2Frobot', 'npm:@acme/robot'],
  ['pkg:pypi/Acme.Robot@1.0', 'pypi:acme-robot'],
];
/** Package URLs of repositories. */
const PACKAGE_URLS: readonly (readonly [string, string])[] = [
  ['pkg:github/Acme/Robot@v1.0#src', 'github.com/acme/robot'],
  ['pkg:bitbucket/acme/robot', 'bitbucket.org/acme/robot'],
  ['pkg:gitlab/acme/robot', 'gitlab.com/acme/robot'],
];
const CANONICAL_IDS = [
  id,
  id.toUpperCase(),
  `https://trust.example/s/id/${id}`,
  `/s/id/${id}`,
  `trust.example/s/id/${id}`,
];
/** Addresses of this site with the id of an agent. */
const AGENT_ADDRESSES = [
  '/api/agents/AGT-0A1B2C3D',
  'https://trust.example/api/agents/agt-0a1b2c3d/',
  'trust.example/api/agents/AGT-0A1B2C3D/lineage',
  '/a/id/AGT-0A1B2C3D/',
  '/a/id/AGT-0A1B2C3D?x=1',
  'https://trust.example/a/id/AGT-0A1B2C3D?x=1#scores',
  '/badge/agent/AGT-0A1B2C3D.svg',
  'https://trust.example/badge/agent/AGT-0A1B2C3D/card.png',
];
/** Addresses of this site that mean the same as `acme/robot` without a host. */
const SITE_ADDRESSES = [
  'https://trust.example/s/Acme/Robot',
  'http://TRUST.example/acme/robot/',
  '/s/acme/robot',
  '/acme/robot',
];
/** Texts that name a handle on one host only. */
const HANDLES = [
  'gitlab.com:Acme',
  'gitlab:@acme',
  'https://gitlab.com/acme/',
  'gitlab.com/acme',
  '/c/gitlab.com:acme',
];
const NO_SUBJECTS = [
  ...['pkg:npm', 'pkg:npm/', 'pkg:', 'pkg:cargo/robot', 'pkg:github/acme', 'npm:', 'pypi:==1.0'],
  ...['/api/agents', '/docs/x', 'https://trust.example/', '/method/x'],
];
const NO_TEXTS = [
  '',
  '   ',
  'a\u0000b',
  'acme/ro\nbot',
  'a\ud800',
  'x'.repeat(1025),
  'https://[',
  'https://github.com/%ff/x',
  '../../..',
];

describe('aliasesOf', () => {
  it('reads every spelling', async () => {
    const readings = [
      ...each(['github.com/acme/robot', 'github.com/acme/robot#'], REPOSITORIES),
      ...ARTIFACTS.flatMap(([text, alias]) => each([alias], [text])),
      ...PACKAGES.flatMap(([text, alias]) => [...each([alias], [text]), ...each([], [text], 'creator')]),
      ...PACKAGE_URLS.flatMap(([text, alias]) => each([alias, `${alias}#`], [text])),
      ...each([id], CANONICAL_IDS),
      ...each(['agt-0a1b2c3d'], AGENT_ADDRESSES, 'agent'),
      ...each(labels('acme/robot'), SITE_ADDRESSES),
      ...each(['gitlab.com:acme'], HANDLES, 'creator'),
      ...each([], NO_SUBJECTS),
    ];
    const check = ({ text, type, expected }: Reading) => expect(labels(text, type)).toEqual(expected);

    await expectEveryRow(readings, ({ text, type }) => `${text} as ${type}`, check);
  });

  it('finds no alias in a text that is none', async () => {
    const check = (text: string) => expect(labels(text).filter((label) => !label.includes('..'))).toEqual([]);

    await expectEveryRow(NO_TEXTS, (text) => JSON.stringify(text.slice(0, 40)), check);
  });

  it.each(['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty'])(
    'reads %s as an ordinary owner, host or platform',
    (word) => {
      const name = word.toLowerCase();

      expect(labels(`https://trust.example/${word}/robot`)).toEqual(labels(`${word}/robot`));
      expect(labels(`${word}:acme/robot`)).toEqual([`${name}/acme/robot`, `${name}/acme/robot#`]);
      expect(labels(`${word}:acme`, 'creator')).toEqual([`${name}:acme`]);
    },
  );

  it('tries a bare owner/repo on each host in order, then without a host', () => {
    const expected = ['github.com', 'gitlab.com', 'codeberg.org', 'bitbucket.org'].flatMap((host) => [
      `${host}/acme/robot`,
      `${host}/acme/robot#`,
    ]);

    expect(labels('acme/robot')).toEqual([...expected, 'acme/robot', 'acme/robot#']);
    expect(labels('Acme/Robot.git/')).toEqual(labels('acme/robot'));
  });

  it('puts the operator’s hosts first, and still tries the others', () => {
    const own = createPublicUrls('https://trust.example', ['git.acme.example', 'gitlab.com']);

    const found = aliasesOf('acme/robot', 'agent', own).filter((label) => !label.endsWith('#'));

    expect(found).toEqual([
      'git.acme.example/acme/robot',
      'gitlab.com/acme/robot',
      'github.com/acme/robot',
      'codeberg.org/acme/robot',
      'bitbucket.org/acme/robot',
      'acme/robot',
    ]);
  });

  it('keeps the port of a web address, because another port is another server', () => {
    expect(labels('https://github.com:8443/acme/robot')[0]).toBe('github.com:8443/acme/robot');
  });

  it('splits a bare owner/repo at its first # and after its second segment', () => {
    expect(labels('acme/robot#Maps/2#x')[0]).toBe('github.com/acme/robot#maps/2#x');
    expect(labels('acme/robot/skills/maps')[0]).toBe('github.com/acme/robot//skills/maps');
    expect(labels('acme/robot#')).toEqual([]);
  });

  it('reads the fragment that npm adds to home pages as an artifact first, then ignores it', () => {
    expect(labels('https://github.com/acme/robot#readme')).toEqual([
      'github.com/acme/robot#readme',
      'github.com/acme/robot',
      'github.com/acme/robot#',
    ]);
  });

  it('reads the API addresses of subjects and creators', () => {
    expect(labels(`https://trust.example/api/subjects/${id}`, 'social_account')).toEqual([id]);
    expect(labels('/api/identity/gitlab.com:acme', 'creator')).toEqual(['gitlab.com:acme']);
    expect(labels('/api/identity/@Acme', 'creator')).toEqual(labels('@acme', 'creator'));
    expect(labels('/api/identity/acme', 'agent')).toEqual([]);
    expect(labels('/badge/agent/AGT-0A1B2C3D.svg', 'skill')).toEqual([]);
  });

  it('reads an agent id in any case, alone and in the address of its page', () => {
    expect(labels('AGT-0A1B2C3D', 'agent')).toEqual(['agt-0a1b2c3d']);
    expect(labels('https://trust.example/a/id/agt-0A1B2C3D', 'agent')).toEqual(['agt-0a1b2c3d']);
  });

  it('reads the page of an artifact, whose name is one encoded segment', () => {
    expect(labels('https://trust.example/s/acme/robot/a%2Fb%20C')[0]).toBe('github.com/acme/robot#a/b c');
  });

  it('never lets a page of one type name a subject of another type', () => {
    expect(labels('https://trust.example/a/acme/robot', 'skill')).toEqual([]);
    expect(labels('https://trust.example/a/acme/robot', 'agent')).not.toEqual([]);
    expect(labels('https://trust.example/c/acme', 'agent')).toEqual([]);
    expect(labels('/s/id/AGT-0A1B2C3D', 'agent')).toEqual([]);
  });

  it('reads addresses of a site below a path', () => {
    const below = createPublicUrls('http://localhost:4000/trust');

    expect(aliasesOf('localhost:4000/trust/acme/robot', 'skill', below)).toEqual(labels('acme/robot'));
  });

  it.each(['@Acme', '/c/acme', 'https://trust.example/c/acme'])(
    'reads %s as a handle on each host in order',
    (text) => {
      expect(labels(text, 'creator')).toEqual([
        'github.com:acme',
        'gitlab.com:acme',
        'codeberg.org:acme',
        'bitbucket.org:acme',
        '@acme',
        'directory:acme',
      ]);
      expect(labels('@Acme', 'agent')).toEqual([]);
    },
  );

  it('reads a bare word as a handle first, then as a name', () => {
    expect(labels('Acme', 'creator').slice(-2)).toEqual(['directory:acme', 'acme']);
    expect(labels('  Map   Maker ', 'skill')).toEqual(['map maker']);
    expect(labels('C# Expert', 'agent')).toEqual(['c# expert']);
  });

  it('reads addresses of social and messaging accounts only for their own type', () => {
    expect(labels('x.com:acme', 'social_account')).toEqual(['x:acme']);
    expect(labels('/m/telegram/acme', 'messaging_account')).toEqual(['telegram:acme']);
    expect(labels('/m/telegram/acme', 'social_account')).toEqual([]);
  });

  it('normalises full-width, composed and invisible characters', () => {
    expect(labels('ａｃｍｅ／ｒｏｂｏｔ')).toEqual(labels('acme/robot'));
    expect(labels('ac\u200bme/ro\u00adbot')).toEqual(labels('acme/robot'));
    expect(labels('Cafe\u0301')).toEqual(labels('CAFÉ'));
  });
});
