import { isIP } from 'node:net';
import type { Hosts } from './hosts.ts';

/** The record is looked for under this label, which nobody sets by chance. */
const RECORD_NAME = '_trust-directory';

/**
 * Looks for the code in a DNS TXT record of the domain that an organisation's profile names as its website. A file on
 * the website is no place for it: everybody who can deploy the site can write one.
 */
export async function isCodeInDns(hosts: Hosts, website: string, code: string): Promise<boolean> {
  const domain = await ownDomain(website);
  if (domain === null) return false;
  const records = await hosts.textRecords(`${RECORD_NAME}.${domain}`);
  return records.some((record) => record.trim() === code);
}

/**
 * Returns the domain that a website's address names, without a leading `www`. Returns null where the address has a path,
 * since a page of somebody's domain does not make the domain one's own; for a public suffix; and for every name under a
 * suffix of the Public Suffix List's private section, such as `github.io`, whose names are handed out to anybody.
 */
export async function ownDomain(website: string): Promise<string | null> {
  const name = namedHost(website);
  if (name === null) return null;
  // The list weighs 200 kB, and most processes never ask it.
  const { parse } = await import('tldts');
  const { domain, isPrivate } = parse(name, { allowPrivateDomains: true });
  if (domain === null || isPrivate === true) return null;
  return name === domain ? name : name.replace(/^www\./, '');
}

/** Returns the host of an address that names a whole site, or null. */
function namedHost(website: string): string | null {
  const text = website.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null;
  if (url.username !== '' || url.password !== '' || url.port !== '') return null;
  const isWhole = url.pathname === '/' && url.search === '' && url.hash === '';
  const name = url.hostname.replace(/\.$/, '');
  const isName = name.includes('.') && !name.startsWith('[') && isIP(name) === 0;
  return isWhole && isName ? name : null;
}
