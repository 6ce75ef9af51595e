import { hash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'svc_live_';
const RANDOM_CHARACTERS = 32; // 190 bits
const CHECKSUM_CHARACTERS = 6; // 62^6 > 2^32
const SHAPE = /^svc_live_[0-9A-Za-z]{38}$/;

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_CHARACTERS; i++) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}

/** A new access key secret: `svc_live_`, 32 random base62 characters, 6 characters of CRC-32 over what precedes them. */
export function newSecret(): string {
  let random = '';
  for (let i = 0; i < RANDOM_CHARACTERS; i++) random += ALPHABET.charAt(randomInt(ALPHABET.length));
  return PREFIX + random + checksum(PREFIX + random);
}

/** Whether the text can be a secret at all: shape and checksum, without the database. For scanners and typing errors, not security. */
export function isWellFormedSecret(text: string): boolean {
  return (
    SHAPE.test(text) && checksum(text.slice(0, -CHECKSUM_CHARACTERS)) === text.slice(-CHECKSUM_CHARACTERS)
  );
}

/** What is stored and looked up in place of a secret: its SHA-256, 32 bytes. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** Compares digests: neither the time it takes nor a difference in length tells anything of what was expected. */
export function isSameSecret(expected: string, given: string): boolean {
  return timingSafeEqual(hashSecret(expected), hashSecret(given));
}
