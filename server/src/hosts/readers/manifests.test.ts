import { expect, it } from 'vitest';
import { expectEveryRow } from '../../../testing/every-row.ts';
import { MANIFESTS } from './manifests.ts';

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
