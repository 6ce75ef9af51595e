import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectEveryRow } from '../../../testing/every-row.ts';
import { ConfigError, loadConfig, loadForServing, onPort, readEnvironment } from './load-config.ts';
import { loadScoringConfig } from './process-config.ts';
import type { Values } from './settings.ts';

const problemsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    loadConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

/** Settings that other settings require. */
const REQUIRED = {
  DATABASE_URL: 'postgres://main/db',
  METRICS_PORT: '9464',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://traces.example',
  SCORING_URL: 'http://scoring.example/score',
  SCORING_TOKEN: 'abc',
  OIDC_ISSUER: 'https://id.example',
  OIDC_CLIENT_ID: 'id',
  OIDC_CLIENT_SECRET: 'abc',
  GITHUB_CLIENT_ID: 'id',
  GITHUB_CLIENT_SECRET: 'abc',
  GITHUB_OAUTH_URL: 'https://git.example',
};

/** A value for each setting that is neither its default nor the one above. */
const OTHER_VALUES: Readonly<Record<keyof Values, string>> = {
  HOST: '::1',
  PORT: '80',
  PUBLIC_URL: 'https://directory.example',
  TRUST_PROXY: '10.0.0.0/8',
  LOG_LEVEL: 'silent',
  METRICS_PORT: '9465',
  METRICS_HOST: '10.0.0.1',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://other.example',
  OTEL_SERVICE_NAME: 'directory',
  OTEL_TRACES_SAMPLER_ARG: '0.5',
  DATABASE_URL: 'postgres://other/db',
  DATABASE_POOL_SIZE: '25',
  DATABASE_READ_POOL_SIZE: '25',
  DATABASE_READ_URLS: 'postgres://replica/db',
  DATABASE_PREPARED_STATEMENTS: 'off',
  DATABASE_START_TIMEOUT_SECONDS: '5',
  DATA_DIR: '/var/lib/trust',
  REDIS_URL: 'redis://redis.example',
  SCORING_URL: 'http://other.example/score',
  SCORING_TOKEN: 'def',
  SCORING_HOST: '10.0.0.1',
  SCORING_PORT: '4011',
  SIGNING_KEY_FILE: '/etc/trust/key.json',
  SIGNING_KEY: '{}',
  PLANS_FILE: '/etc/trust/plans.json',
  SYNONYMS_FILE: '/etc/trust/synonyms.json',
  SDK_RELEASES_DIR: '/etc/trust/sdk',
  SDK_INSTALL_FROM: 'registry',
  REPOSITORY_HOSTS: 'git.example.org',
  HOST_API_URLS: 'github.com=https://api.example',
  HOST_API_TOKENS: 'github.com=abc',
  REFRESH_PER_HOUR: '40',
  CHANGES_DAYS: '30',
  WELL_KNOWN_DOMAINS: 'acme.example',
  OIDC_ISSUER: 'https://other.example',
  OIDC_CLIENT_ID: 'other',
  OIDC_CLIENT_SECRET: 'def',
  OIDC_NAME: 'Example',
  GITHUB_CLIENT_ID: 'other',
  GITHUB_CLIENT_SECRET: 'def',
  GITHUB_OAUTH_URL: 'https://other.example',
  GITHUB_OAUTH_API_URL: 'https://api.example',
  SIGN_UP: 'open',
  SIGN_IN_PROVES: 'https://git.example=repo_host:git.example',
  CORS_ORIGINS: 'https://app.example',
  PUBLIC_MAX_AGE_SECONDS: '60',
  KEPT_ANSWERS_MB: '16',
  RATE_LIMIT_PUBLIC_PER_MINUTE: '7',
  RATE_LIMIT_READ_PER_MINUTE: '7',
  RATE_LIMIT_WRITE_PER_MINUTE: '7',
  RATE_LIMIT_METERED_PER_MINUTE: '7',
  RATE_LIMIT_UNKEYED_PER_MINUTE: '7',
  RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE: '7',
  METERED_WAIT_MS: '1000',
  METERED_AT_WORK: '7',
  METERED_SCORING: '7',
  TIMINGS_SCALE: '0.05',
};

it('every setting changes the configuration of the server or of the scoring process', () => {
  const load = (environment: Record<string, string>) => {
    const all = { ...REQUIRED, ...environment };
    return JSON.stringify([loadConfig(all), loadScoringConfig(all)]);
  };
  const usual = load({});

  const unused = Object.entries(OTHER_VALUES).filter(([name, value]) => load({ [name]: value }) === usual);
  expect(unused).toEqual([]);
});

describe('the configuration', () => {
  it('has the documented defaults when nothing is set', () => {
    const config = loadConfig({});

    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 4000,
      publicUrl: 'http://127.0.0.1:4000',
      trustProxy: [],
      logLevel: 'info',
      databaseUrl: null,
      databasePoolSize: 10,
      databaseReadPoolSize: 10,
      databaseStartTimeoutSeconds: 30,
      databasePreparedStatements: true,
      dataDir: resolve('.data'),
      redisUrl: null,
      scoringUrl: null,
      scoringToken: null,
      repositoryHosts: ['github.com', 'gitlab.com', 'codeberg.org', 'bitbucket.org'],
      corsOrigins: [],
      publicMaxAgeSeconds: 0,
      responseCacheMb: 64,
      rateLimits: {
        publicPerMinute: 120,
        readPerMinute: 120,
        writePerMinute: 30,
        meteredPerMinute: 600,
        unkeyedPerMinute: 120,
        failedCredentialsPerMinute: 20,
      },
      timings: {
        holdMs: 2_200,
        attemptMs: 20_000,
        budgetMs: 45_000,
        leaseMs: 60_000,
        reaperMs: 5_000,
        retryAfterCapMs: 5_000,
      },
    });
    expect(config.plansFile).toMatch(/server\/plans\.json$/);
  });

  it('takes every value that is set', () => {
    const config = loadConfig({
      HOST: '::1',
      PORT: '80',
      PUBLIC_URL: 'https://directory.example',
      TRUST_PROXY: '10.0.0.0/8, fd00::/8',
      LOG_LEVEL: 'silent',
      DATABASE_URL: 'postgres://user:p%40ss@db.example:5433/trust?sslmode=require',
      DATABASE_POOL_SIZE: '25',
      DATABASE_PREPARED_STATEMENTS: 'off',
      DATA_DIR: '/var/lib/trust',
      REDIS_URL: 'rediss://redis.example/1',
      SCORING_URL: 'https://scoring.example/v1/score',
      SCORING_TOKEN: 'abc.def',
      PLANS_FILE: '/etc/trust/plans.json',
      REPOSITORY_HOSTS: 'git.example.org, github.com',
      REFRESH_PER_HOUR: '40',
      CHANGES_DAYS: '30',
      WELL_KNOWN_DOMAINS: 'acme.example, b.example=http://127.0.0.1:8080/b/',
      CORS_ORIGINS: 'https://app.example,http://localhost:3000',
      PUBLIC_MAX_AGE_SECONDS: '60',
      KEPT_ANSWERS_MB: '16',
      RATE_LIMIT_PUBLIC_PER_MINUTE: '0',
      TIMINGS_SCALE: '0.05',
    });

    expect(config).toMatchObject({
      host: '::1',
      port: 80,
      publicUrl: 'https://directory.example',
      trustProxy: ['10.0.0.0/8', 'fd00::/8'],
      logLevel: 'silent',
      databaseUrl: 'postgres://user:p%40ss@db.example:5433/trust?sslmode=require',
      databasePoolSize: 25,
      databasePreparedStatements: false,
      dataDir: '/var/lib/trust',
      redisUrl: 'rediss://redis.example/1',
      scoringUrl: 'https://scoring.example/v1/score',
      scoringToken: 'abc.def',
      plansFile: '/etc/trust/plans.json',
      repositoryHosts: ['git.example.org', 'github.com'],
      refreshPerHour: 40,
      changesDays: 30,
      wellKnownDomains: [
        { domain: 'acme.example', url: null },
        { domain: 'b.example', url: 'http://127.0.0.1:8080/b' },
      ],
      corsOrigins: ['https://app.example', 'http://localhost:3000'],
      publicMaxAgeSeconds: 60,
      responseCacheMb: 16,
      timings: { leaseMs: 3_000, reaperMs: 250 },
    });
    expect(config.rateLimits.publicPerMinute).toBe(0);
  });

  it.each([
    ['0.0.0.0', 'http://localhost:4000'],
    ['::', 'http://localhost:4000'],
    ['::1', 'http://[::1]:4000'],
    ['directory.internal', 'http://directory.internal:4000'],
  ])('makes links that lead back to a server on %s', (host, publicUrl) => {
    expect(loadConfig({ HOST: host }).publicUrl).toBe(publicUrl);
  });

  it.each([
    [{}, 'http://127.0.0.1:4321'],
    [{ HOST: '::' }, 'http://localhost:4321'],
    [{ PUBLIC_URL: 'https://directory.example' }, 'https://directory.example'],
  ])('with any free port (0) and %j makes links that lead to the one that was taken', (more, publicUrl) => {
    const config = onPort(loadConfig({ PORT: '0', ...more }), 4321);

    expect([config.port, config.publicUrl]).toEqual([4321, publicUrl]);
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('treats empty or blank values as unset, as compose files write them', () => {
    expect(loadConfig({ PORT: '', REDIS_URL: '  ', OIDC_ISSUER: '' })).toEqual(loadConfig({}));
  });

  it('cannot be changed afterwards', () => {
    const config = loadConfig({});

    for (const part of [
      config,
      config.rateLimits,
      config.timings,
      config.repositoryHosts,
      config.trustProxy,
    ]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });
});

describe('a problem', () => {
  it('names the variable, its value and what is allowed, for all problems at once', () => {
    const problems = problemsOf({ PORT: '80a', LOG_LEVEL: 'loud', RATE_LIMIT_WRITE_PER_MINUTE: '-1' });

    expect(problems).toEqual([
      'PORT is "80a": it must be a whole number from 0 to 65535.',
      'LOG_LEVEL is "loud": it must be one of fatal, error, warn, info, debug, trace, silent.',
      'RATE_LIMIT_WRITE_PER_MINUTE is "-1": it must be a whole number from 0 to 1000000.',
    ]);
    expect(() => loadConfig({ PORT: 'x', LOG_LEVEL: 'y' })).toThrow(/- PORT .*\n- LOG_LEVEL /);
  });

  const mistakes: readonly (readonly [string, string])[] = [
    ['HOST', 'two words'],
    ['HOST', '999.1.1.1'],
    ['HOST', '1.2.3.4.5'],
    ['METRICS_HOST', '256.0.0.1'],
    ['SCORING_HOST', '1.2.3.400'],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '4e3'],
    ['PUBLIC_URL', 'https://directory.example/path'],
    ['PUBLIC_URL', 'https://user@directory.example'],
    ['PUBLIC_URL', 'directory.example'],
    ['PUBLIC_URL', 'javascript:alert(1)'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '1'],
    ['TRUST_PROXY', '10.0.0.1'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', '::/0'],
    ['TRUST_PROXY', 'loopback'],
    ['DATABASE_URL', 'mysql://localhost/trust'],
    ['DATABASE_URL', 'postgres://localhost'],
    ['DATABASE_POOL_SIZE', '0'],
    ['REDIS_URL', 'http://redis.example'],
    ['REPOSITORY_HOSTS', ','],
    ['REPOSITORY_HOSTS', 'https://github.com'],
    ['REPOSITORY_HOSTS', 'github.com,github.com'],
    ['REPOSITORY_HOSTS', 'GitHub.com'],
    ['REPOSITORY_HOSTS', 'directory'],
    ['REPOSITORY_HOSTS', '999.1.1.1'],
    ['REFRESH_PER_HOUR', '-1'],
    ['WELL_KNOWN_DOMAINS', 'https://acme.example'],
    ['WELL_KNOWN_DOMAINS', 'acme.example,acme.example'],
    ['WELL_KNOWN_DOMAINS', 'acme.example=ftp://acme.example'],
    ['WELL_KNOWN_DOMAINS', 'acme'],
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'https://app.example/page'],
    ['PUBLIC_MAX_AGE_SECONDS', '1.5'],
    ['TIMINGS_SCALE', '0'],
    ['TIMINGS_SCALE', '2'],
  ];
  it('is found in every variable', async () => {
    const check = ([name, text]: readonly [string, string]) => {
      const problems = problemsOf({ [name]: text });

      expect(problems).toHaveLength(1);
      expect(problems[0]).toMatch(new RegExp(`^${name} `));
    };

    await expectEveryRow(mistakes, ([name, text]) => `${name}=${text}`, check);
  });

  it('never repeats a value that may hold a secret', () => {
    const problems = problemsOf({
      DATABASE_URL: 'postgres//user:hunter2@db',
      DATABASE_READ_URLS: 'postgres://user:hunter2@replica/db, hunter2',
      REDIS_URL: 'http://:hunter2@redis',
      SCORING_URL: 'https://me:hunter2@scoring.example',
      SCORING_TOKEN: 'hunter2 with spaces',
    });

    expect(problems).toHaveLength(5);
    expect(problems.join()).not.toContain('hunter2');
  });

  it('is a scoring address without its token, and a token without its address', () => {
    expect(problemsOf({ SCORING_URL: 'https://scoring.example/' })).toEqual([
      'SCORING_TOKEN is missing: SCORING_URL is set and requires it.',
    ]);
    expect(problemsOf({ SCORING_TOKEN: 'abc' })).toEqual([
      'SCORING_URL is missing: SCORING_TOKEN is set and requires it.',
    ]);
  });

  it('is DATABASE_READ_URLS without DATABASE_URL', () => {
    const urls = 'postgres://u:hunter2@one/db,postgres://u:hunter2@two/db';

    expect(problemsOf({ DATABASE_READ_URLS: urls })).toEqual([
      'DATABASE_URL is missing: DATABASE_READ_URLS is set and requires it.',
    ]);
    expect(loadConfig({ DATABASE_READ_URLS: urls, DATABASE_URL: 'postgres://main/db' })).toMatchObject({
      databaseReadUrls: ['postgres://u:hunter2@one/db', 'postgres://u:hunter2@two/db'],
    });
  });

  it('is a misspelt name with our prefix, while other unknown variables are ignored', () => {
    expect(problemsOf({ RATE_LIMIT_PUBLIC: '5', PATH: '/bin', HOSTNAME: 'box' })).toEqual([
      'RATE_LIMIT_PUBLIC is not a variable of this server: is it misspelt?',
    ]);
    expect(problemsOf({ OIDC_ISUER: 'x' })).toEqual([
      'OIDC_ISUER is not a variable of this server: did you mean OIDC_ISSUER?',
    ]);
  });

  it('is a former name, with the present one and what it means', () => {
    expect(problemsOf({ REPOSITORY_REFRESH_PER_HOUR: '60' })).toEqual([
      'REPOSITORY_REFRESH_PER_HOUR is now called REFRESH_PER_HOUR: set that instead; it counts requests to all sources, not listings.',
    ]);
  });
});

describe('a file .env', () => {
  it('is read from the working directory, and the process environment takes precedence', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trust-directory-config-'));
    await writeFile(join(folder, '.env'), '# comment\nPORT=5000\nLOG_LEVEL="debug"\n# HOST=0.0.0.0\n');

    const config = loadConfig(readEnvironment(folder, { PORT: '6000' }));

    await rm(folder, { recursive: true });
    expect([config.host, config.port, config.logLevel]).toEqual(['127.0.0.1', 6000, 'debug']);
  });

  it('may be missing', () => {
    expect(readEnvironment(join(tmpdir(), 'no-such-folder'), { PORT: '1' })).toEqual({ PORT: '1' });
  });
});

describe('the log of a server', () => {
  it.each([
    [{}, false, 'info'],
    [{}, true, 'warn'],
    [{ LOG_LEVEL: '' }, true, 'warn'],
    [{ LOG_LEVEL: 'info' }, true, 'info'],
    [{ LOG_LEVEL: 'debug' }, false, 'debug'],
  ])('with %j, at a terminal: %j, begins at %s', (environment, isTerminal, level) => {
    expect(loadForServing(environment, isTerminal).logLevel).toBe(level);
  });
});
