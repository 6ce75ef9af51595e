import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KEY } from '../test/samples.ts';
import { ConfigurationError } from './errors.ts';
import { readSettings } from './settings.ts';

beforeEach(() => {
  vi.stubEnv('TRUST_DIRECTORY_URL', '');
  vi.stubEnv('TRUST_DIRECTORY_API_KEY', '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

describe('baseUrl', () => {
  it('comes from the option, else the environment, else this machine', () => {
    expect(readSettings({}).baseUrl).toBe('http://127.0.0.1:4000/');

    vi.stubEnv('TRUST_DIRECTORY_URL', 'https://trust.example');
    expect(readSettings({}).baseUrl).toBe('https://trust.example/');
    expect(readSettings({ baseUrl: 'https://other.example/api' }).baseUrl).toBe('https://other.example/api');
  });

  it.each([
    'trust.example',
    '/api',
    'ftp://trust.example',
    'file:///etc/passwd',
    'https://user:secret@trust.example',
    'https://trust.example?x=1',
    'https://trust.example#x',
    'javascript:alert(1)',
  ])('can not be %s', (baseUrl) => {
    expect(() => readSettings({ baseUrl })).toThrow(ConfigurationError);
    expect(() => readSettings({ baseUrl })).not.toThrow(/secret/);
  });

  it.each([
    'https://trust.example',
    'http://localhost:4000',
    'http://LOCALHOST',
    'http://127.0.0.1:4000/base',
    'http://127.8.9.10',
    'http://0x7f000001:4000',
    'http://[::1]:4000',
  ])('%s may be sent the key', (baseUrl) => {
    expect(readSettings({ baseUrl }).keyMayTravel).toBe(true);
  });

  it.each([
    'http://trust.example',
    'http://192.168.0.7:4000',
    'http://0.0.0.0:4000',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'http://evil.example/localhost/',
    'http://[::2]:4000',
  ])('%s may be sent the key only if it is allowed', (baseUrl) => {
    expect(readSettings({ baseUrl }).keyMayTravel).toBe(false);
    expect(readSettings({ baseUrl, allowInsecure: true }).keyMayTravel).toBe(true);
  });
});

describe('apiKey', () => {
  it('comes from the option, else the environment; null is none at all', () => {
    expect(readSettings({}).apiKey).toBe('');

    vi.stubEnv('TRUST_DIRECTORY_API_KEY', KEY);
    expect(readSettings({}).apiKey).toBe(KEY);
    expect(readSettings({ apiKey: undefined }).apiKey).toBe(KEY);
    expect(readSettings({ apiKey: 'svc_live_other' }).apiKey).toBe('svc_live_other');
    expect(readSettings({ apiKey: null }).apiKey).toBe('');
  });

  it('may have spaces and line ends around it, as files and shells leave them', () => {
    expect(readSettings({ apiKey: ` ${KEY}\n` }).apiKey).toBe(KEY);
  });

  it.each([`${KEY}\r\nX-Evil: 1`, `${KEY} ${KEY}`, `${KEY}\u0000`, `${KEY}ü`])(
    'that no header can hold is refused without being told',
    (apiKey) => {
      expect(() => readSettings({ apiKey })).toThrow(ConfigurationError);
      expect(() => readSettings({ apiKey })).not.toThrow(/svc_live_/);
    },
  );
});

describe('limits', () => {
  it.each([{ timeoutMs: Number.NaN }, { timeoutMs: -1 }, { maxRetries: Number.NaN }, { maxRetries: -1 }])(
    'can not be %j',
    (options) => {
      expect(() => readSettings(options)).toThrow('timeoutMs and maxRetries must be numbers.');
    },
  );
});

describe('the environment', () => {
  it('gives what the options leave out, and the options win', () => {
    vi.stubEnv('TRUST_DIRECTORY_TIMEOUT_MS', '1500');
    vi.stubEnv('TRUST_DIRECTORY_MAX_RETRIES', '0');
    vi.stubEnv('TRUST_DIRECTORY_ALLOW_INSECURE', '1');
    vi.stubEnv('TRUST_DIRECTORY_DEBUG', '1');
    vi.stubEnv('TRUST_DIRECTORY_URL', 'http://trust.example');

    expect(readSettings({})).toMatchObject({
      timeoutMs: 1500,
      maxRetries: 0,
      keyMayTravel: true,
      logger: console,
    });

    const logger = { debug: () => {} };
    const options = { timeoutMs: 7, maxRetries: 5, allowInsecure: false, logger };
    expect(readSettings(options)).toMatchObject({
      timeoutMs: 7,
      maxRetries: 5,
      keyMayTravel: false,
      logger,
    });
  });

  it.each(['TIMEOUT_MS', 'MAX_RETRIES'])('is refused where TRUST_DIRECTORY_%s is no number', (name) => {
    vi.stubEnv(`TRUST_DIRECTORY_${name}`, 'soon');

    expect(() => readSettings({})).toThrow(ConfigurationError);
  });

  it('may be missing, as in a browser', () => {
    vi.stubGlobal('process', undefined);

    expect(readSettings({})).toMatchObject({ apiKey: '', baseUrl: 'http://127.0.0.1:4000/' });
  });

  it('may be forbidden, as in Deno', () => {
    const forbidden = new Proxy({}, { get: () => expect.unreachable('no permission') });
    vi.stubGlobal('process', { env: forbidden });

    expect(readSettings({})).toMatchObject({ apiKey: '', baseUrl: 'http://127.0.0.1:4000/' });
  });
});
