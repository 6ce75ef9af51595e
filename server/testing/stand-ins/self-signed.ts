import { createSign, generateKeyPairSync } from 'node:crypto';

/** Encodes one element of DER: its tag, the length of its content, and the content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const integer = (value: number) => der(0x02, Buffer.from([value]));
const time = (text: string) => der(0x17, Buffer.from(text));
const ECDSA_WITH_SHA256 = sequence(der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
const COMMON_NAME = Buffer.from('550403', 'hex');

/** Creates a self-signed certificate for a name, with its key, both as PEM. */
export function selfSigned(commonName: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const label = der(0x0c, Buffer.from(commonName));
  const name = sequence(der(0x31, sequence(der(0x06, COMMON_NAME), label)));
  const validity = sequence(time('200101000000Z'), time('490101000000Z'));
  const subject = publicKey.export({ type: 'spki', format: 'der' });
  const toBeSigned = sequence(
    der(0xa0, integer(2)),
    integer(1),
    ECDSA_WITH_SHA256,
    name,
    validity,
    name,
    subject,
  );
  const signature = createSign('sha256').update(toBeSigned).sign(privateKey);
  const signed = der(0x03, Buffer.concat([Buffer.from([0]), signature]));
  const body = sequence(toBeSigned, ECDSA_WITH_SHA256, signed).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${body.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}
