import { describe, expect, it } from 'vitest';
import { listenOptions } from './mock.ts';

describe('the mock listens', () => {
  it('on port 4010 of this machine by default', () => {
    expect(listenOptions({}, {})).toEqual({ host: '127.0.0.1', port: 4010 });
  });

  it('where the command line says, overriding the environment', () => {
    const environment = { MOCK_PORT: '5000', HOST: '::1' };

    expect(listenOptions({}, environment)).toEqual({ host: '::1', port: 5000 });
    expect(listenOptions({ port: '6000', host: '0.0.0.0' }, environment)).toEqual({
      host: '0.0.0.0',
      port: 6000,
    });
  });

  it.each(['many', '65536', '-1', '1.5'])('not on port %s', (port) => {
    expect(() => listenOptions({ port }, {})).toThrow('The port must be a number from 0 to 65535');
  });
});
