import { describe, expect, it } from 'vitest';
import { createPublicUrls, listingUrl, type PathParts, publicPath } from './public-path.ts';
import { aliasesOf } from './read-subject.ts';

const publicUrls = createPublicUrls('https://trust.example');
const listing: PathParts = {
  id: '0190f5c2-7b1e-7c3a-9d4e-5f60718293a4',
  type: 'agent',
  agentId: 'AGT-0A1B2C3D',
  host: 'github.com',
  repository: 'Acme/Robot',
  artifactName: null,
  handle: null,
  holdsBareName: true,
};
const artifact: PathParts = { ...listing, type: 'skill', agentId: null, artifactName: 'Draw maps/2' };
const creator: PathParts = { ...listing, type: 'creator', agentId: null, repository: null, handle: 'Acme' };

describe('publicPath', () => {
  it.each([
    [listing, '/a/Acme/Robot'],
    [{ ...listing, type: 'skill' }, '/s/Acme/Robot'],
    [{ ...listing, holdsBareName: false }, '/a/id/AGT-0A1B2C3D'],
    [{ ...listing, host: 'gitee.com' }, '/a/id/AGT-0A1B2C3D'],
    [{ ...listing, repository: 'id/AGT-0A1B2C3E' }, '/a/id/AGT-0A1B2C3D'],
    [artifact, '/s/Acme/Robot/Draw%20maps%2F2'],
    [{ ...artifact, holdsBareName: false }, `/s/id/${listing.id}`],
    [{ ...artifact, artifactName: '..' }, `/s/id/${listing.id}`],
    [{ ...artifact, artifactName: '"><script>' }, '/s/Acme/Robot/%22%3E%3Cscript%3E'],
    [creator, '/c/Acme'],
    [{ ...creator, host: 'gitlab.com', holdsBareName: false }, '/c/gitlab.com:Acme'],
    [{ ...creator, host: 'directory' }, '/c/Acme'],
    [{ ...creator, type: 'social_account', host: 'x.com' }, '/u/x.com/Acme'],
    [{ ...creator, type: 'messaging_account', host: 'telegram' }, '/m/telegram/Acme'],
  ] as [PathParts, string][])('returns the page of %j', (parts, path) => {
    expect(publicPath(parts, publicUrls)).toBe(path);
  });

  it.each([listing, artifact, creator, { ...artifact, holdsBareName: false }])(
    'resolves back to the same subject: %j',
    (parts) => {
      expect(aliasesOf(publicPath(parts, publicUrls), parts.type, publicUrls)).not.toEqual([]);
    },
  );
});

describe('listingUrl', () => {
  it('is site, owner and repository', () => {
    expect(listingUrl(publicPath(listing, publicUrls), publicUrls)).toBe('https://trust.example/Acme/Robot');
    expect(
      listingUrl(publicPath(listing, publicUrls), createPublicUrls('http://localhost:4000/trust/')),
    ).toBe('http://localhost:4000/trust/Acme/Robot');
  });

  it.each(['a', 'API', 'docs', 'console'])(
    'is the page itself for an owner called %s, a reserved path',
    (owner) => {
      const url = listingUrl(
        publicPath({ ...listing, repository: `${owner}/robot` }, publicUrls),
        publicUrls,
      );

      expect(url).toBe(`https://trust.example/a/${owner}/robot`);
    },
  );

  it('is the page by id if another host has the short path', () => {
    expect(listingUrl(publicPath({ ...listing, holdsBareName: false }, publicUrls), publicUrls)).toBe(
      'https://trust.example/a/id/AGT-0A1B2C3D',
    );
  });
});
