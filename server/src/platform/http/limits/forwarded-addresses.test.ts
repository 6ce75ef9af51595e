import { expect, it } from 'vitest';
import { withoutPorts } from './forwarded-addresses.ts';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:4711', '192.0.2.1'],
  ['192.0.2.1:4711, 10.0.0.1:80,198.51.100.7', '192.0.2.1, 10.0.0.1, 198.51.100.7'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['[::ffff:192.0.2.1]:443', '::ffff:192.0.2.1'],
  // Only unambiguous ports are removed: these are no addresses, or addresses without a port.
  ['2001:db8::1:443', '2001:db8::1:443'],
  ['[somewhere]:443', '[somewhere]:443'],
  ['unknown:443', 'unknown:443'],
  ['192.0.2.1:', '192.0.2.1:'],
  ['', ''],
])('an X-Forwarded-For of %j is read as %j', (forwarded, addresses) => {
  expect(withoutPorts(forwarded)).toBe(addresses);
});
