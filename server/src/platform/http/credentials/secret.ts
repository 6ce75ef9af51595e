import { hash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const TOKEN_SHAPE = /^[\w-]{43}$/;

/** Returns true if a text has the shape of the token of a session or a sign-in attempt. */
export function isWellFormedToken(text: string): boolean {
  return TOKEN_SHAPE.test(text);
}

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

/**
 * Creates the secret of an access key: `svc_live_`, 32 random base62 characters, and 6 characters with the CRC-32 of
 * the characters before.
 */
export function newSecret(): string {
  let random = '';
  for (let i = 0; i < RANDOM_CHARACTERS; i++) random += ALPHABET.charAt(randomInt(ALPHABET.length));
  return PREFIX + random + checksum(PREFIX + random);
}

/**
 * Checks the shape and checksum of a secret, without the database. This serves secret scanners and finds typing errors;
 * it is not a security check.
 */
export function isWellFormedSecret(text: string): boolean {
  return (
    SHAPE.test(text) && checksum(text.slice(0, -CHECKSUM_CHARACTERS)) === text.slice(-CHECKSUM_CHARACTERS)
  );
}

/** Returns the SHA-256 (32 bytes) under which a secret is stored. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** Compares secrets by their digests, so that neither timing nor length reveals the expected secret. */
export function isSameSecret(expected: string, given: string): boolean {
  return timingSafeEqual(hashSecret(expected), hashSecret(given));
}
