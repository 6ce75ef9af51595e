import { describe, expect, it } from 'vitest';
import { misspeltVariables } from './misspelt-variables.ts';
import { VARIABLES } from './settings.ts';

describe('a variable that is one letter away from a known one', () => {
  it.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URLS', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATABASE_RUL', 'DATABASE_URL'],
    ['ADTABASE_URL', 'DATABASE_URL'],
    ['ATABASE_URL', 'DATABASE_URL'],
    ['DATABASEURL', 'DATABASE_URL'],
    ['DATA_DIRE', 'DATA_DIR'],
    ['RATE_LIMIT_PUBLIC_PER_MINUT', 'RATE_LIMIT_PUBLIC_PER_MINUTE'],
    ['CORS_ORIGIN', 'CORS_ORIGINS'],
  ])('is named with the one that was meant: %s', (name, meant) => {
    expect(misspeltVariables(['PATH', name])).toEqual([
      `${name} is not a variable of this server and is ignored: did you mean ${meant}?`,
    ]);
  });

  it('is never a known variable', () => {
    expect(misspeltVariables(Object.keys(VARIABLES))).toEqual([]);
  });

  it.each([
    'PATH HOME HOSTNAME HOSTTYPE HOSTS GHOST POST PORTS SPORT PGHOST PGPORT PGDATABASE PGDATA DATABASE URL_PUBLIC',
    'NODE_ENV NODE_OPTIONS NPM_CONFIG_LOGLEVEL OTEL_EXPORTER_OTLP_HEADERS OTEL_RESOURCE_ATTRIBUTES TZ LANG USER DATA LOGNAME',
    'DATABASE_NAME DATABASE_HOST POSTGRES_URL REDIS_PASSWORD RADIUS_URL PUBLIC_DIR',
  ])('is none of other programs: %s', (names) => {
    expect(misspeltVariables(names.split(' '))).toEqual([]);
  });
});
