import { expect, it } from 'vitest';
import { expectEveryRow } from '../../../testing/every-row.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { findPackage, packageText, readPackage } from './read-package.ts';

it('reads every spelling of a package', async () => {
  const rows: readonly [text: string, ecosystem: 'npm' | 'pypi', name: string, version: string | null][] = [
    ['npm:mcp-remote', 'npm', 'mcp-remote', null],
    ['npm:mcp-remote@0.1.15', 'npm', 'mcp-remote', '0.1.15'],
    ['npm:@upstash/context7-mcp', 'npm', '@upstash/context7-mcp', null],
    ['npm:@upstash/context7-mcp@1.0.0-beta.1', 'npm', '@upstash/context7-mcp', '1.0.0-beta.1'],
    ['npm:JSONStream@1.3.5', 'npm', 'JSONStream', '1.3.5'],
    ['pypi:FastMCP', 'pypi', 'fastmcp', null],
    ['pypi:Mcp_Server.git==2025.9.25', 'pypi', 'mcp-server-git', '2025.9.25'],
    ['pypi:mcp@1.9.4rc1', 'pypi', 'mcp', '1.9.4rc1'],
    ['pypi:mcp[cli]==1.9.4', 'pypi', 'mcp', '1.9.4'],
    ['pypi:torch==2.1.0+cu118', 'pypi', 'torch', '2.1.0+cu118'],
    ['pkg:npm/%40upstash/context7-mcp@1.0.0', 'npm', '@upstash/context7-mcp', '1.0.0'],
    ['pkg:npm/@upstash/context7-mcp@1.0.0?a=b#src', 'npm', '@upstash/context7-mcp', '1.0.0'],
    ['pkg:pypi/Mcp_Server-Git', 'pypi', 'mcp-server-git', null],
    ['pkg:pypi/torch@2.1.0%2Bcu118', 'pypi', 'torch', '2.1.0+cu118'],
  ];

  await expectEveryRow(
    rows,
    ([text]) => text,
    ([text, ecosystem, name, version]) => expect(readPackage(text)).toEqual({ ecosystem, name, version }),
  );
});

it('refuses other texts, and says what is allowed', async () => {
  const rows: readonly [text: string, message: RegExp][] = [
    ['', /must be npm:name/],
    ['mcp-remote', /must be npm:name/],
    ['gem:rails', /must be npm:name/],
    ['pkg:gem/rails@1', /must be npm:name/],
    ['npm:', /must be npm:name/],
    ['npm:@scope', /which npm does not allow/],
    ['npm:a/b', /which npm does not allow/],
    [`npm:${'x'.repeat(215)}`, /which npm does not allow/],
    ['pypi:-x', /which PyPI does not allow/],
    ['pkg:npm/%zz', /which npm does not allow/],
    ['npm:mcp-remote@latest', /"latest"\. It must be one version such as 1\.2\.3/],
    ['npm:mcp-remote@^1.0.0', /one version/],
    ['npm:mcp-remote@1', /"1"\. It must be one version/],
    ['npm:mcp-remote@1.0', /"1\.0"\. It must be one version/],
    ['pkg:npm/mcp-remote@0.1', /one version/],
    ['pypi:mcp==>=1.0', /one version/],
    ['pypi:mcp@2004x', /one version/],
  ];

  await expectEveryRow(
    rows,
    ([text]) => text,
    ([text, message]) => {
      const read = () => readPackage(text);
      expect(read).toThrow(message);
      expect(read).toThrow(expect.objectContaining({ code: 'invalid_request' }));
      expect(read).toThrow(DomainError);
    },
  );
});

it('finds the package in every spelling of a subject, with its version', async () => {
  const rows: readonly [text: string, expected: string | null, version: string | null][] = [
    ['npm:notes', 'npm:notes', null],
    ['npm:notes@1.2.3', 'npm:notes', '1.2.3'],
    ['NPM:@acme/notes@1.2.3', 'npm:@acme/notes', '1.2.3'],
    ['@acme/notes@1.2.3', 'npm:@acme/notes', '1.2.3'],
    ['@acme/notes', 'npm:@acme/notes', null],
    ['npm:notes@latest', 'npm:notes', null],
    ['npm:notes@1.2', 'npm:notes', null],
    ['pypi:Notes_MCP==1.2', 'pypi:notes-mcp', '1.2'],
    ['pypi:notes@1.2', 'pypi:notes', '1.2'],
    ['pkg:npm/%40acme/notes@1.2.3', 'npm:@acme/notes', '1.2.3'],
    ['pkg:pypi/notes@1.2?x=y', 'pypi:notes', '1.2'],
    ['https://www.npmjs.com/package/@acme/notes/v/1.2.3', 'npm:@acme/notes', '1.2.3'],
    ['npmjs.com/package/notes', 'npm:notes', null],
    ['https://pypi.org/project/notes/1.2/', 'pypi:notes', '1.2'],
    ['acme/notes', null, null],
    ['@acme', null, null],
    ['https://github.com/acme/notes', null, null],
    ['pkg:github/acme/notes@1.0', null, null],
    ['x:acme', null, null],
  ];

  await expectEveryRow(
    rows,
    ([text]) => text,
    ([text, expected, version]) => {
      const found = findPackage(text);

      expect(found && packageText(found)).toBe(expected);
      expect(found?.version ?? null).toBe(version);
    },
  );
});
