import { describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from './load-config.ts';

const OIDC = {
  OIDC_ISSUER: 'https://id.example/realms/main',
  OIDC_CLIENT_ID: 'directory',
  OIDC_CLIENT_SECRET: 'hunter2',
};
const GITHUB = { GITHUB_CLIENT_ID: 'Iv1.0123', GITHUB_CLIENT_SECRET: 'hunter3' };

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const signInOf = (environment: Record<string, string>) => loadConfig(environment).signIn;

describe('sign-in', () => {
  it('works only with links from the command line until a provider is configured, and is closed to new people', () => {
    expect(signInOf({})).toEqual({ oidc: null, github: null, signUp: 'closed', proves: [] });
  });

  it('keeps an issuer as its provider spells it, and shows its host as the default name', () => {
    expect(signInOf({ ...OIDC, SIGN_UP: 'open' })).toMatchObject({
      signUp: 'open',
      oidc: { issuer: OIDC.OIDC_ISSUER, clientId: 'directory', clientSecret: 'hunter2', name: 'id.example' },
    });
    expect(signInOf({ ...OIDC, OIDC_NAME: 'Acme' }).oidc?.name).toBe('Acme');
  });

  it('finds the API of GitHub, and that of an Enterprise server under its own path', () => {
    expect(signInOf(GITHUB).github).toMatchObject({
      url: 'https://github.com',
      apiUrl: 'https://api.github.com',
    });
    expect(signInOf({ ...GITHUB, GITHUB_OAUTH_URL: 'https://git.acme.example' }).github?.apiUrl).toBe(
      'https://git.acme.example/api/v3',
    );
  });

  it('proves accounts elsewhere only where the operator says so, issuer by issuer', () => {
    const proves = `https://github.com=repo_host:GitHub.com, ${OIDC.OIDC_ISSUER}=repo_host:git.example`;

    expect(signInOf({ ...OIDC, ...GITHUB, SIGN_IN_PROVES: proves }).proves).toEqual([
      { issuer: 'https://github.com', kind: 'repo_host', host: 'github.com' },
      { issuer: OIDC.OIDC_ISSUER, kind: 'repo_host', host: 'git.example' },
    ]);
  });
});

describe('a problem', () => {
  it.each([
    [{ OIDC_ISSUER: OIDC.OIDC_ISSUER }, ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']],
    [{ OIDC_CLIENT_ID: 'directory' }, ['OIDC_ISSUER', 'OIDC_CLIENT_SECRET']],
    [{ OIDC_CLIENT_SECRET: 'hunter2' }, ['OIDC_ISSUER', 'OIDC_CLIENT_ID']],
    [{ OIDC_NAME: 'Acme' }, ['OIDC_ISSUER']],
    [{ GITHUB_CLIENT_ID: 'Iv1' }, ['GITHUB_CLIENT_SECRET']],
    [{ GITHUB_CLIENT_SECRET: 'hunter2' }, ['GITHUB_CLIENT_ID']],
    [{ GITHUB_OAUTH_URL: 'https://git.example' }, ['GITHUB_CLIENT_ID']],
    [{ ...GITHUB, GITHUB_OAUTH_API_URL: 'https://api.example' }, ['GITHUB_OAUTH_URL']],
  ] as [Record<string, string>, string[]][])('is half a provider: %j', (environment, missing) => {
    const problems = problemsOf(environment);

    expect(problems.map((problem) => problem.split(' ')[0])).toEqual(missing);
    for (const problem of problems) expect(problem).toMatch(/ is missing: \w+ is set and requires it\.$/);
    expect(problems.join()).not.toContain('hunter2');
  });

  it('is an open sign-up without a provider', () => {
    expect(problemsOf({ SIGN_UP: 'open' })).toHaveLength(1);
    expect(problemsOf({ SIGN_UP: 'open', ...GITHUB })).toEqual([]);
    expect(problemsOf({ SIGN_UP: 'yes' })[0]).toMatch(/^SIGN_UP is "yes": it must be one of closed, open/);
  });

  it.each([
    'http://id.example',
    'ftp://id.example',
    'https://id.example?tenant=1',
    'https://user:hunter2@id.example',
    'https://id.example#x',
    'id.example',
  ])('is the issuer %s', (issuer) => {
    expect(problemsOf({ ...OIDC, OIDC_ISSUER: issuer })[0]).toMatch(
      /^OIDC_ISSUER is .* it must be an https URL/,
    );
  });

  it.each(['http://git.example', 'https://git.example/path', 'https://user@git.example'])(
    'is the GitHub %s',
    (url) => {
      expect(problemsOf({ ...GITHUB, GITHUB_OAUTH_URL: url })[0]).toMatch(/^GITHUB_OAUTH_URL is /);
    },
  );

  it('is one server configured in two ways, whose people could not be distinguished', () => {
    const issuer = 'https://git.example/';
    const both = { ...OIDC, ...GITHUB, OIDC_ISSUER: issuer };

    expect(problemsOf({ ...both, GITHUB_OAUTH_URL: 'https://git.example' })).toEqual([
      expect.stringContaining('in one of the two ways'),
    ]);
    expect(problemsOf(both)).toEqual([]);
  });

  it('is a proof by an issuer that is not configured, or of an unknown kind', () => {
    const proves = (SIGN_IN_PROVES: string) => problemsOf({ ...OIDC, SIGN_IN_PROVES });

    expect(proves('https://github.com=repo_host:github.com')[0]).toMatch(
      /^SIGN_IN_PROVES names https:\/\/github\.com, which is not a configured sign-in provider/,
    );
    expect(proves(`${OIDC.OIDC_ISSUER}=repository:git.example`)).toHaveLength(1);
    expect(proves(`${OIDC.OIDC_ISSUER}=repo_host`)).toHaveLength(1);
    expect(proves(`${OIDC.OIDC_ISSUER}=repo_host:a.b,${OIDC.OIDC_ISSUER}=social:c.d`)).toHaveLength(1);
  });

  it('is no http issuer on this machine', () => {
    for (const issuer of ['http://localhost:3000', 'http://127.0.0.1:3000/a', 'http://[::1]:3000']) {
      expect(problemsOf({ ...OIDC, OIDC_ISSUER: issuer })).toEqual([]);
    }
  });
});
