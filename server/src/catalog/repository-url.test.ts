import { describe, expect, it } from 'vitest';
import { expectEveryRow } from '../../testing/every-row.ts';
import { DomainError } from '../platform/errors/domain-error.ts';
import { readRepositoryUrl } from './repository-url.ts';

const HOSTS = ['github.com', 'gitlab.com'];

describe('readRepositoryUrl', () => {
  it.each([
    'https://github.com/Acme/robot.js',
    'https://GitHub.com/Acme/robot.js/',
    'https://www.github.com/Acme/robot.js.git',
    'https://github.com:443/Acme/robot.js.git/',
    'HTTPS://github.com/x/../Acme/robot.js',
    'http://github.com/Acme/robot.js',
    'http://www.github.com:80/Acme/robot.js.git',
    'github.com/Acme/robot.js',
    'www.github.com/Acme/robot.js/',
    'git@github.com:Acme/robot.js.git',
    'git@github.com:Acme/robot.js',
    'ssh://git@github.com/Acme/robot.js.git',
    'ssh://git@github.com:22/Acme/robot.js.git',
    'git+ssh://git@github.com/Acme/robot.js.git',
    'git+ssh://git@github.com:Acme/robot.js.git',
    'git://github.com/Acme/robot.js.git',
    'git+https://github.com/Acme/robot.js.git',
  ])('normalises %s', (text) => {
    expect(readRepositoryUrl(text, HOSTS)).toEqual({
      host: 'github.com',
      repository: 'Acme/robot.js',
      url: 'https://github.com/Acme/robot.js',
    });
  });

  const refused: readonly string[] = [
    'git@example.com:acme/robot.git',
    'git@github.com@example.com:acme/robot.git',
    'git@github.com:acme',
    'git@github.com:acme/robot/tree/main',
    'ssh://root@github.com/acme/robot',
    'ssh://git:secret@github.com/acme/robot',
    'ssh://example.com/github.com/acme/robot',
    'http://github.com:8080/acme/robot',
    'http://user@github.com/acme/robot',
    'git+file:///etc/passwd',
    'ftp://github.com/acme/robot',
    'example.com/github.com/acme/robot',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'acme/robot',
    'https://example.com/acme/robot',
    'https://github.com.example.com/acme/robot',
    'https://evil-github.com/acme/robot',
    'https://github.com@example.com/acme/robot',
    'https://127.0.0.1/acme/robot',
    'https://user@github.com/acme/robot',
    'https://:secret@github.com/acme/robot',
    'https://github.com:8443/acme/robot',
    'https://github.com/acme',
    'https://github.com/acme/',
    'https://github.com/acme/robot/tree/main',
    'https://github.com/acme/robot?tab=readme',
    'https://github.com/acme/robot#readme',
    'https://github.com/acme//robot',
    'https://github.com/acme/%2e%2e',
    'https://github.com/acme/ro%20bot',
    'https://github.com/acme/.git',
    'https://github.com/acme/röbot',
  ];
  it('refuses every other text', async () => {
    const check = (text: string) => {
      expect(() => readRepositoryUrl(text, HOSTS)).toThrow(DomainError);
    };

    await expectEveryRow(refused, (text) => JSON.stringify(text), check);
  });

  it('lists the allowed hosts', () => {
    expect(() => readRepositoryUrl('https://example.com/a/b', HOSTS)).toThrow(
      'repoHostUrl must name a repository on github.com or gitlab.com.',
    );
  });
});
