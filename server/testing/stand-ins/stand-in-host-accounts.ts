import { json, NOT_FOUND, type StandInAnswer } from './stand-in-answer.ts';
import type { StandInAccount, StandInPackage, StandInWorld } from './stand-in-host-world.ts';

/** Returns the answers of the hosts to paths of accounts and packages. */
export function accountAnswer(
  world: StandInWorld,
  api: string,
  parts: readonly string[],
  url: URL,
  body: string,
): StandInAnswer {
  const packages = world.packages.filter((each) => each.api === api);
  if (api === 'npm_downloads') return downloadsAnswer(world.packages, parts);
  const record = recordAnswer(packages, api, parts);
  if (record !== null) return record;
  if (api === 'npm') return npmAnswer(packages, parts, url);
  if (api === 'pypi') return pypiAnswer(packages, parts, body);
  const accounts = world.accounts.filter((each) => each.api === api);
  const by = (member: 'handle' | 'id') => (value: string | null | undefined) =>
    accounts.find((each) => each[member].toLowerCase() === value?.toLowerCase());
  return PLATFORMS[api]?.({ byHandle: by('handle'), byId: by('id'), accounts }, parts, url) ?? NOT_FOUND;
}

type Find = (text: string | null | undefined) => StandInAccount | undefined;
interface Accounts {
  byHandle: Find;
  byId: Find;
  accounts: readonly StandInAccount[];
}
type Platform = (find: Accounts, parts: readonly string[], url: URL) => StandInAnswer | undefined;

const shown = (account: StandInAccount | undefined, record: (of: StandInAccount) => unknown) =>
  account && json(record(account));

const groupRecord = (of: StandInAccount) => ({
  id: Number(of.id),
  full_path: of.handle,
  description: of.profile,
  created_at: of.createdAt,
});

const PLATFORMS: Record<string, Platform> = {
  github({ byHandle, byId }, [kind, name]) {
    const found = kind === 'user' ? byId(name) : byHandle(name);
    if (kind === 'orgs' && !found?.isOrganisation) return undefined;
    return shown(found, (of) => ({
      id: Number(of.id),
      login: of.handle,
      type: of.isOrganisation ? 'Organization' : 'User',
      created_at: of.createdAt,
      name: of.name,
      blog: of.website,
      ...(of.isOrganisation ? (kind === 'orgs' ? { description: of.profile } : {}) : { bio: of.profile }),
    }));
  },
  /** Treats a numeric name as an id where both are possible, like GitLab. */
  gitlab({ byHandle, byId, accounts }, [kind, name], url) {
    const isId = /^-?\d+$/.test(name ?? '');
    if (kind === 'groups' && name === undefined) {
      const text = url.searchParams.get('search') ?? '';
      return json(accounts.filter((of) => of.isOrganisation && of.handle.includes(text)).map(groupRecord));
    }
    if (kind === 'groups') {
      const group = isId ? byId(name) : byHandle(name);
      return group?.isOrganisation ? json(groupRecord(group)) : undefined;
    }
    const user = name === undefined ? byHandle(url.searchParams.get('username')) : isId && byId(name);
    if (!user || user.isOrganisation) return name === undefined ? json([]) : undefined;
    const record = { id: Number(user.id), username: user.handle, name: user.name };
    return json(name === undefined ? [record] : { ...record, bio: user.profile, created_at: user.createdAt });
  },
  forgejo({ byHandle, byId }, [kind, name], url) {
    const record = (of: StandInAccount) => ({
      id: Number(of.id),
      login: of.handle,
      description: of.profile,
      website: of.website,
      created: of.createdAt,
    });
    if (name === 'search')
      return json({ data: [byId(url.searchParams.get('uid'))].flatMap((of) => (of ? [record(of)] : [])) });
    const found = byHandle(name);
    if (kind === 'orgs') {
      return found?.isOrganisation ? json({ id: Number(found.id), name: found.handle }) : undefined;
    }
    return shown(found, record);
  },
  bitbucket: ({ byHandle, byId }, [, name]) =>
    shown(byHandle(name) ?? byId(name), (of) => ({
      uuid: of.id,
      slug: of.handle,
      name: of.profile || of.name,
      created_on: of.createdAt,
    })),
  bluesky({ byHandle, byId }, [, method], url) {
    const actor = url.searchParams.get('actor') ?? '';
    const account = actor.startsWith('did:plc:') ? byId(actor.slice('did:plc:'.length)) : byHandle(actor);
    if (account === undefined)
      return { status: 400, body: '{"error":"InvalidRequest","message":"Profile not found"}' };
    if (method === 'app.bsky.feed.getAuthorFeed')
      return json({ feed: [{ post: { indexedAt: account.lastPostAt } }] });
    return json({
      did: `did:plc:${account.id}`,
      handle: account.handle,
      displayName: account.name,
      description: account.profile,
      followersCount: account.followers,
      createdAt: account.createdAt,
      verification: { verifiedStatus: account.verified ? 'valid' : 'none' },
    });
  },
  mastodon: ({ byHandle }, _, url) =>
    shown(byHandle(url.searchParams.get('acct')), (of) => ({
      id: of.id,
      acct: of.handle,
      username: of.handle,
      display_name: of.name,
      note: `<p>${of.profile}</p>`,
      created_at: of.createdAt,
      followers_count: of.followers,
      last_status_at: of.lastPostAt.slice(0, 10),
      fields: [],
    })),
  telegram({ byHandle }, [first, handle]) {
    const account = byHandle(first === 's' ? handle : first);
    return (
      account && { status: 200, body: first === 's' ? channelPage(account) : '<div class="tgme_page"></div>' }
    );
  },
};

function channelPage(of: StandInAccount): string {
  const view = Buffer.from(`{"c":${of.id},"p":"1g","t":1}`).toString('base64').replace(/=+$/, '');
  return `<div class="tgme_channel_info_header_title"><span dir="auto">${of.name}</span>${of.verified ? '<i class="verified-icon"> ✔</i>' : ''}</div>
<div class="tgme_channel_info_counter"><span class="counter_value">${of.followers}</span> <span class="counter_type">subscribers</span></div>
<div class="tgme_channel_info_description">${of.profile}</div>
<div class="tgme_widget_message" data-post="${of.handle}/7" data-view="${view}"><time datetime="${of.lastPostAt}">x</time></div>`;
}

/** Returns a registry's answer about a package, such as its record; null for other paths, and for packages without a record. */
function recordAnswer(
  packages: readonly StandInPackage[],
  api: string,
  parts: readonly string[],
): StandInAnswer | null {
  if (api === 'npm') {
    const [name, form] = parts;
    const record = packages.find((each) => each.name === name)?.record as StandInPackument | undefined;
    if (record === undefined) return null;
    return json(form === 'latest' ? record.versions[record['dist-tags'].latest] : record);
  }
  const [form = '', name = ''] = parts;
  if (api !== 'pypi' || name === '') return null;
  const normal = name.toLowerCase().replace(/[-_.]+/g, '-');
  const found = packages.find((each) => each.name.toLowerCase().replace(/[-_.]+/g, '-') === normal);
  if (found?.record === undefined) return null;
  if (name !== normal)
    return { status: 301, body: '', headers: { location: `/${['pypi', form, normal, parts[2]].join('/')}` } };
  if (form === 'simple') return found.index === undefined ? NOT_FOUND : json(found.index);
  return json(found.record);
}

interface StandInPackument {
  readonly 'dist-tags': { readonly latest: string };
  readonly versions: Readonly<Record<string, object>>;
}

function downloadsAnswer(packages: readonly StandInPackage[], parts: readonly string[]): StandInAnswer {
  const name = parts.slice(3).join('/');
  const found = packages.find((each) => each.api === 'npm' && each.name === name);
  if (found?.downloads === undefined) return { status: 404, body: '{"error":"package not found"}' };
  return json({ downloads: found.downloads, start: '2026-10-27', end: '2026-11-25', package: name });
}

function npmAnswer(packages: readonly StandInPackage[], parts: readonly string[], url: URL): StandInAnswer {
  if (parts[0] === '-') {
    const user = url.searchParams.get('text')?.replace('maintainer:', '');
    const found = packages.filter(({ users }) => users.includes(user ?? ''));
    const objects = found.map(({ name, users }) => ({
      package: { name, date: '2026-11-01T00:00:00Z', maintainers: users.map((username) => ({ username })) },
    }));
    return json({ objects, total: objects.length });
  }
  const found = packages.find(({ name }) => name === parts[0]);
  if (!found) return NOT_FOUND;
  const { name, answeredName = name, description, keywords, publisher } = found;
  return json({ name: answeredName, version: '1.0.0', description, keywords, _npmUser: { name: publisher } });
}

function pypiAnswer(
  packages: readonly StandInPackage[],
  parts: readonly string[],
  body: string,
): StandInAnswer {
  const [, name] = parts;
  if (name === undefined) {
    const user = /<string>([^<]*)<\/string>/.exec(body)?.[1] ?? '';
    const pairs = packages
      .filter(({ users }) => users.includes(user))
      .map(
        (each) =>
          `<value><array><data><value><string>Owner</string></value><value><string>${each.name}</string></value></data></array></value>`,
      );
    const answer = `<params><param><value><array><data>${pairs.join('')}</data></array></value></param></params>`;
    return { status: 200, body: `<?xml version='1.0'?><methodResponse>${answer}</methodResponse>` };
  }
  const found = packages.find((each) => each.name === name);
  if (!found) return NOT_FOUND;
  const { answeredName = found.name, role = 'Owner', organisation: organization } = found;
  const roles = found.users.map((user) => ({ role, user }));
  const texts = { summary: found.description, keywords: found.keywords.join(','), description: '' };
  return json({ info: { name: answeredName, ...texts }, ownership: { roles, organization } });
}
