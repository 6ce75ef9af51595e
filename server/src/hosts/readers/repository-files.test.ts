import { expect, it } from 'vitest';
import { expectEveryRow } from '../../../testing/every-row.ts';
import { firstLineOfReadme, MANIFESTS, readmeAmong } from './repository-files.ts';

const read = (file: string, text: string) =>
  MANIFESTS[file]?.(text).map(({ ecosystem, name }) => `${ecosystem}:${name}`);

it('reads the packages that a manifest names, and none from a hostile one', async () => {
  const rows: [file: string, text: string, names: string[]][] = [
    ['package.json', '{"name":"@maker/tool"}', ['npm:@maker/tool']],
    ['package.json', '\uFEFF{"name":"tool","private":false}', ['npm:tool']],
    ['package.json', '{"name":"tool","private":true}', []],
    ['package.json', '{"name":"../../etc"}', []],
    ['package.json', `{"name":"${'x'.repeat(300)}"}`, []],
    ['package.json', '{"name":["tool"]}', []],
    ['package.json', '["tool"]', []],
    ['package.json', '{"name":', []],
    ['pyproject.toml', '[project]\nname = "tool"\n', ['pypi:tool']],
    [
      'pyproject.toml',
      "\uFEFF[build-system]\nname='x'\n[ project ] # mine\r\n'name' = 'Tool_x' # here\r\n",
      ['pypi:Tool_x'],
    ],
    ['pyproject.toml', '[tool.poetry]\nname = "tool"\n', ['pypi:tool']],
    ['pyproject.toml', '[tool.poetry]\nname = "old"\n[project]\nname = "new"\n', ['pypi:new']],
    ['pyproject.toml', '[project]\ndescription = """\nname = "fake"\n"""\nname = "tool"\n', ['pypi:tool']],
    ['pyproject.toml', "[project]\nreadme = '''one line'''\nname = 'tool'\n", ['pypi:tool']],
    ['pyproject.toml', '[[project]]\nname = "list"\n', []],
    ['pyproject.toml', '[project.scripts]\nname = "script"\n[project]\nversion = "1"\n', []],
    ['pyproject.toml', '[project]\ndynamic = ["name"]\n# name = "no"\nname = "../x"\n', []],
    [
      'server.json',
      '{"packages":[{"registryType":"npm","identifier":"a"},{"registryType":"pypi","identifier":"b"},{"registryType":"oci","identifier":"c"},7]}',
      ['npm:a', 'pypi:b'],
    ],
    ['server.json', '{"packages":{"registryType":"npm"}}', []],
  ];
  await expectEveryRow(
    rows,
    ([file, text]) => `${file}: ${text}`,
    ([file, text, names]) => {
      expect(read(file, text)).toEqual(names);
    },
  );
});

it.each([
  [
    'a line below a heading',
    '# Servers\n\nReference implementations of MCP.\n',
    'Reference implementations of MCP.',
  ],
  ['a heading with an underline', 'Servers\n=======\n\nA set of servers.', 'A set of servers.'],
  [
    'badges and HTML',
    '<p align="center">\n<img src="x.png"></p>\n\n[![CI](https://a/b.svg)](https://a) ![x](y)\n\nSkills for **Claude** and [others](https://o.example).',
    'Skills for Claude and others.',
  ],
  [
    'front matter and comments',
    '---\ntitle: x y z\n---\n<!-- not this one -->\nWhat it is about.',
    'What it is about.',
  ],
  ['a quote', '# A\n\n> A curated list of servers', 'A curated list of servers'],
  ['a note of GitHub', '> [!NOTE]\n\nThis repository has skills.', 'This repository has skills.'],
  [
    'lists, tables and code',
    '- one thing\n| a | b |\n```\nnpm install it all\n```\nIt has plugins.',
    'It has plugins.',
  ],
  ['a script without spaces', '# 技能\n\n精选的技能列表', '精选的技能列表'],
  ['only headings', '# One\n## Two\n', null],
  ['nothing', '', null],
])('finds the first line of prose: %s', (_, text, expected) => {
  expect(firstLineOfReadme(text)).toBe(expected);
});

it('takes a moment only for a hostile README', () => {
  for (const text of ['['.repeat(50_000), '<'.repeat(50_000), '**'.repeat(25_000), '!['.repeat(25_000)])
    expect(firstLineOfReadme(text)?.length ?? 0).toBeLessThan(1_000);
});

it('finds a README by its name', () => {
  expect(readmeAmong(['package.json', 'Readme.md'])).toBe('Readme.md');
  expect(readmeAmong(['README.rst'])).toBe('README.rst');
  expect(readmeAmong(['README_CN.md', 'readme.exe'])).toBeUndefined();
});
