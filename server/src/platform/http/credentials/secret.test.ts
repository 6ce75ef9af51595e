import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashSecret, isWellFormedSecret, newSecret } from './secret.ts';

describe('an access key secret', () => {
  it('has the documented form and is different each time', () => {
    const secrets = Array.from({ length: 200 }, newSecret);

    for (const secret of secrets) expect(secret).toMatch(/^svc_live_[0-9A-Za-z]{38}$/);
    expect(new Set(secrets).size).toBe(200);
    expect(secrets.every(isWellFormedSecret)).toBe(true);
  });

  it('is refused without the database if one character is wrong', () => {
    const secret = newSecret();
    for (let place = 9; place < secret.length; place++) {
      const other = secret[place] === 'x' ? 'y' : 'x';
      expect(isWellFormedSecret(secret.slice(0, place) + other + secret.slice(place + 1))).toBe(false);
    }
  });

  it.each([
    '',
    'svc_live_',
    `svc_live_${'a'.repeat(38)}`,
    `svc_test_${newSecret().slice(9)}`,
    `${newSecret()}x`,
    ` ${newSecret()}`,
  ])('does not have the form %j', (text) => {
    expect(isWellFormedSecret(text)).toBe(false);
  });

  it('ends with the CRC-32 of the preceding characters, in base62', () => {
    const body = `svc_live_${'0'.repeat(32)}`;
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    let crc = ~0;
    for (const byte of Buffer.from(body)) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    }
    let rest = ~crc >>> 0;
    let checksum = '';
    for (let i = 0; i < 6; i++) {
      checksum = `${digits[rest % 62]}${checksum}`;
      rest = Math.floor(rest / 62);
    }

    expect(isWellFormedSecret(body + checksum)).toBe(true);
  });

  it('is stored as the SHA-256 of the complete secret', () => {
    const secret = newSecret();
    expect(hashSecret(secret)).toEqual(createHash('sha256').update(secret, 'utf8').digest());
  });
});
