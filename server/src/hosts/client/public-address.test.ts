import { describe, expect, it } from 'vitest';
import { isPublicAddress } from './guarded-connector.ts';

describe('isPublicAddress', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '140.82.112.5',
    '172.32.0.1',
    '100.128.0.1',
    '192.0.1.1',
    '223.255.255.255',
  ])('takes %s for a server on the internet', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each(['2606:4700::6810:84e5', '2a00:1450:4001::200e', '2001:4860:4860::8888', '2600::'])(
    'takes %s for a server on the internet',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '192.168.1.1',
    '198.18.0.1',
    '0.0.0.0',
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '192.88.99.1',
    '192.0.0.8',
    '224.0.0.1',
    '255.255.255.255',
  ])('takes %s for none', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([
    '::1',
    '::',
    '::ffff:8.8.8.8',
    '::8.8.8.8',
    '64:ff9b::808:808',
    '64:ff9b:1::1',
    '2002:808:808::1',
    '2001::1',
    '2001:db8::1',
    '3fff::1',
    'fc00::1',
    'fe80::1',
    'fe80::1%lo',
    '2606:4700::1%eth0',
    'ff02::1',
    '5f00::1',
    '100::1',
  ])('takes %s for none', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['', 'localhost', '127.1', '0x7f000001', '[::1]', ' 8.8.8.8'])(
    'takes %j, which is no address, for none',
    (text) => {
      expect(isPublicAddress(text)).toBe(false);
    },
  );
});
