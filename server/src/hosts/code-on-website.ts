import { isIP } from 'node:net';
import { type AskedHost, CODE_FILE } from './accounts/account-reader.ts';
import { npmScopeCarries } from './accounts/npm.ts';
import { askHost } from './ask-host.ts';
import type { CodePlace } from './host-account.ts';
import type { Hosts } from './hosts.ts';

/** A place of its own that an organisation names as its website. */
type NamedPlace = { readonly domain: string } | { readonly npmScope: string };

/**
 * Sites that are built from repositories under a common domain: who commits there writes them, and that is any member.
 * Nobody there can set a DNS record of their own either.
 */
const REPOSITORY_SITES = [
  'github.io',
  'gitlab.io',
  'codeberg.page',
  'bitbucket.io',
  'pages.dev',
  'netlify.app',
  'vercel.app',
  'readthedocs.io',
  'readthedocs.org',
  'gitbook.io',
  'web.app',
  'firebaseapp.com',
  'onrender.com',
  'hf.space',
];

/** Where the code is looked for in DNS: a name that nobody sets by chance. */
const RECORD_NAME = '_trust-directory';

/**
 * Looks for the code where an organisation's profile leads as its website: a file or a DNS record of that domain, or a
 * package of that npm user's scope. The profile is its owners' word; a site that cannot be asked carries nothing.
 */
export async function findCodeOnWebsite(
  hosts: Hosts,
  website: string,
  code: string,
): Promise<CodePlace | null> {
  const named = readWebsite(website);
  if (named === null) return null;
  if ('npmScope' in named) return (await scopeCarries(hosts, named.npmScope, code)) ? 'package' : null;
  const { domain } = named;
  const file = await hosts.sites.file(domain, `/.well-known/${CODE_FILE}`);
  if (file?.split('\n').some((line) => line.trim() === code)) return 'domain';
  const records = await hosts.sites.textRecords(`${RECORD_NAME}.${domain.replace(/^www\.(?=.+\.)/, '')}`);
  return records.some((record) => record.trim() === code) ? 'domain' : null;
}

/**
 * The place that a website's address names: a whole domain, without a path, since a page of somebody's domain does not
 * make the domain one's own; or a user's page on npm. Null for any other address.
 */
export function readWebsite(website: string): NamedPlace | null {
  const text = website.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null;
  if (url.username !== '' || url.password !== '' || url.port !== '') return null;
  const domain = url.hostname.replace(/\.$/, '');
  if (/^(?:www\.)?npmjs\.com$/.test(domain)) {
    const npmScope = /^\/~([a-z0-9][a-z0-9._-]{0,99})\/?$/.exec(url.pathname)?.[1];
    return npmScope === undefined ? null : { npmScope };
  }
  const isWhole = url.pathname === '/' && url.search === '' && url.hash === '';
  return isWhole && isOwnDomain(domain) ? { domain } : null;
}

function isOwnDomain(domain: string): boolean {
  const isName = domain.includes('.') && !domain.startsWith('[') && isIP(domain) === 0;
  return isName && !REPOSITORY_SITES.some((site) => domain === site || domain.endsWith(`.${site}`));
}

async function scopeCarries(hosts: Hosts, scope: string, code: string): Promise<boolean> {
  const npm = hosts.placeOf('npmjs.com');
  if (npm === null) return false;
  const from: AskedHost = { host: npm.host, ask: (path, question) => askHost(hosts, npm, path, question) };
  return npmScopeCarries(from, scope, code);
}
