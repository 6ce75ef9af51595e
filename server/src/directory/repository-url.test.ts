import { describe, expect, it } from 'vitest';
import { DomainError } from '../domain-error.ts';
import { readRepositoryUrl } from './repository-url.ts';

const HOSTS = ['github.com', 'gitlab.com'];

describe('readRepositoryUrl', () => {
  it.each([
    'https://github.com/Acme/robot.js',
    'https://GitHub.com/Acme/robot.js/',
    'https://www.github.com/Acme/robot.js.git',
    'https://github.com:443/Acme/robot.js.git/',
    'HTTPS://github.com/x/../Acme/robot.js',
  ])('reads %s in one normal form', (text) => {
    expect(readRepositoryUrl(text, HOSTS)).toEqual({
      host: 'github.com',
      repository: 'Acme/robot.js',
      url: 'https://github.com/Acme/robot.js',
    });
  });

  it.each([
    'http://github.com/acme/robot',
    'git@github.com:acme/robot.git',
    'ssh://git@github.com/acme/robot',
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
  ])('refuses %s', (text) => {
    expect(() => readRepositoryUrl(text, HOSTS)).toThrow(DomainError);
  });

  it('says which hosts are allowed', () => {
    expect(() => readRepositoryUrl('https://example.com/a/b', HOSTS)).toThrow(
      'repoHostUrl must name a repository on github.com or gitlab.com.',
    );
  });
});
