import { describe, expect, it } from 'vitest';
import type { PackageStanding } from '../../../scoring/fact-types.ts';
import { installCommands, mcpRegistryUrl, unconfirmedPackages } from './install-section.tsx';

const of = (npmPackage: string | null, pypiPackage: string | null, kind = 'skill') =>
  installCommands({ npmPackage, pypiPackage, kind, isNpmConfirmed: true, isPypiConfirmed: true });

describe('how to install a listing', () => {
  it('installs its package, and starts an MCP server', () => {
    expect(of('@acme/robot', null)).toEqual(['npm install @acme/robot']);
    expect(of('robot', 'acme_robot')).toEqual(['npm install robot', 'pip install acme_robot']);
    expect(of('robot', 'acme.robot', 'mcp-server')).toEqual(['npx -y robot', 'uvx acme.robot']);
  });

  it('has commands only for confirmed packages that their registry has', () => {
    const named = { npmPackage: 'robot', pypiPackage: 'acme-robot', kind: 'mcp-server' };

    const npmOnly = { ...named, isNpmConfirmed: true, isPypiConfirmed: false };
    expect(installCommands(npmOnly)).toEqual(['npx -y robot']);
    const pypi = { registry: 'PyPI', name: 'acme-robot', isConfirmed: false, isMissing: false };
    expect(unconfirmedPackages(npmOnly)).toEqual([pypi]);
    expect(unconfirmedPackages({ ...npmOnly, isPypiMissing: true })).toEqual([{ ...pypi, isMissing: true }]);
    const gone = { ...npmOnly, pypiPackage: null, isNpmMissing: true };
    expect(installCommands(gone)).toEqual([]);
    expect(unconfirmedPackages(gone)).toEqual([
      { registry: 'npm', name: 'robot', isConfirmed: true, isMissing: true },
    ]);
    const neither = { ...named, isNpmConfirmed: false, isPypiConfirmed: false };
    expect(installCommands(neither)).toEqual([]);
    expect(unconfirmedPackages(neither).map(({ registry }) => registry)).toEqual(['npm', 'PyPI']);
  });

  it('has the version that the registry publishes, if it was read and is safe in a shell', () => {
    const reading = (version: string) => ({ version, isDeprecated: false, readAt: '2026-08-22T00:00:00Z' });
    const commands = (kind: string, npm: string, pypi: string) =>
      installCommands({
        ...{
          npmPackage: 'robot',
          pypiPackage: 'acme-robot',
          isNpmConfirmed: true,
          isPypiConfirmed: true,
          kind,
        },
        published: { npm: reading(npm), pypi: reading(pypi) },
      });

    expect(commands('skill', '1.2.3', '2.0.post1')).toEqual([
      'npm install robot@1.2.3',
      'pip install acme-robot==2.0.post1',
    ]);
    expect(commands('mcp-server', '1.2.3', '2.0')).toEqual(['npx -y robot@1.2.3', 'uvx acme-robot@2.0']);
    expect(commands('skill', '1.2.3; id', '1!2.0')).toEqual(['npm install robot', 'pip install acme-robot']);
  });

  it('has no command for a package whose published version has malware, or may have it', () => {
    const standing = (change: Partial<PackageStanding>): PackageStanding => ({
      ...{
        ecosystem: 'npm',
        name: 'robot',
        version: '1.0.0',
        published: 'not_affected',
        everyVersion: false,
      },
      ...{ malwareVersions: ['0.9.0'], soundSince: null, isResearch: false, vulnerabilities: [] },
      ...{ advisoryIds: ['MAL-1'], disputedVersions: [] },
      ...change,
    });
    const commands = (value: PackageStanding) =>
      installCommands({
        ...{ npmPackage: 'robot', pypiPackage: 'Acme_Robot', isNpmConfirmed: true, isPypiConfirmed: true },
        kind: 'skill',
        packageFacts: { package_standing: { at: '2026-08-22T00:00:00Z', value } },
      });
    const both = ['npm install robot', 'pip install Acme_Robot'];

    expect(commands(standing({}))).toEqual(both);
    expect(commands(standing({ isResearch: true, published: 'unread', version: null }))).toEqual(both);
    expect(commands(standing({ published: 'malware' }))).toEqual(['pip install Acme_Robot']);
    expect(commands(standing({ published: 'unread', version: null }))).toEqual(['pip install Acme_Robot']);
    const other = standing({ ecosystem: 'pypi', name: 'acme-robot', published: 'malware' });
    expect(commands(standing({ others: [other] }))).toEqual(['npm install robot']);
  });

  it('has no command without a package', () => {
    expect(of(null, null)).toEqual([]);
  });

  it.each([
    'robot; rm -rf /',
    '$(id)',
    '~root',
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
  ])('has no command for an invalid package name: %j', (name) => {
    expect(of(name, name)).toEqual([]);
  });
});

describe('the record of a server in the MCP registry', () => {
  it('has a URL derived from its name', () => {
    expect(mcpRegistryUrl('io.github.acme/robot-mcp')).toBe(
      'https://registry.modelcontextprotocol.io/v0.1/servers/io.github.acme%2Frobot-mcp/versions/latest',
    );
  });

  it.each([null, '', 'robot', 'a/b/c', '../x', 'a b/c', 'a/<b>', '-a/b', `a/${'b'.repeat(200)}`])(
    'has no URL for an invalid name: %j',
    (name) => {
      expect(mcpRegistryUrl(name)).toBeNull();
    },
  );
});
