import { describe, expect, it } from 'vitest';
import { installCommands } from './install-command.ts';

const of = (npmPackage: string | null, pypiPackage: string | null, kind = 'skill') =>
  installCommands({ npmPackage, pypiPackage, kind });

describe('how to install a listing', () => {
  it('is by its package, and a server is started', () => {
    expect(of('@acme/robot', null)).toEqual(['npm install @acme/robot']);
    expect(of('robot', 'acme_robot')).toEqual(['npm install robot', 'pip install acme_robot']);
    expect(of('robot', 'acme.robot', 'mcp-server')).toEqual(['npx -y robot', 'uvx acme.robot']);
  });

  it('is not known without a package', () => {
    expect(of(null, null)).toEqual([]);
  });

  it.each([
    'robot; rm -rf /',
    '$(id)',
    '-rf',
    '--help',
    'a b',
    'a\nb',
    '@acme',
    '@acme/-x y',
    '../robot',
    'https://evil.example/x.tgz',
    'robot@1.0.0 && id',
    '`id`',
    'r'.repeat(215),
  ])('is never a line with more than a name in it: %j', (name) => {
    expect(of(name, name)).toEqual([]);
  });
});
