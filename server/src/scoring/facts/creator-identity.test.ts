import { describe, expect, it } from 'vitest';
import { UNKNOWN_CREATOR } from '../../../testing/scoring/unknown-creator.ts';
import { observedAccountAge, observedAccounts } from './creator-identity.ts';

const CHECKED = '2026-11-10T00:00:00.000000Z';
const SEEN = '2026-08-22T00:00:00.000000Z';
const NONE = { repoHost: false, nodePackages: false, pythonPackages: false, professionalNetwork: false };

describe('proved accounts', () => {
  it('are not known of a creator who has not signed in, whatever was proved elsewhere', () => {
    expect(observedAccounts(UNKNOWN_CREATOR, SEEN)).toBeNull();
  });

  it('are observed as none of a creator who has signed in and proved nothing', () => {
    const { creatorConfirmedAt } = UNKNOWN_CREATOR;

    expect(observedAccounts({ ...UNKNOWN_CREATOR, hasAccount: true }, SEEN)).toEqual({
      value: NONE,
      observedAt: creatorConfirmedAt,
      source: 'registry',
    });
  });

  it('are those with a valid proof, as old as the oldest check', () => {
    const provedKinds = ['repo_host', 'python_packages', 'social'];
    const creator = { ...UNKNOWN_CREATOR, hasAccount: true, provedKinds, provedAt: CHECKED };

    expect(observedAccounts(creator, SEEN)).toEqual({
      value: { ...NONE, repoHost: true, pythonPackages: true },
      observedAt: CHECKED,
      source: 'linked_accounts',
    });
  });

  it.each([
    ['node_packages', 'nodePackages'],
    ['professional_network', 'professionalNetwork'],
  ])('of kind %s are read as %s', (kind, member) => {
    const creator = { ...UNKNOWN_CREATOR, hasAccount: true, provedKinds: [kind], provedAt: CHECKED };

    expect(observedAccounts(creator, SEEN)?.value).toEqual({ ...NONE, [member]: true });
  });

  it("hold the repository host's account where the MCP registry gave its namespace, and no other by it", () => {
    const creator = { ...UNKNOWN_CREATOR, hasRegistryNamespace: true };

    expect(observedAccounts(creator, SEEN)).toEqual({
      value: { ...NONE, repoHost: true },
      observedAt: SEEN,
      source: 'mcp_registry',
    });
  });

  it('have the registry as source where no counted account is proved here', () => {
    const social = { hasAccount: true, provedKinds: ['social'], provedAt: CHECKED };

    expect(observedAccounts({ ...UNKNOWN_CREATOR, ...social, hasRegistryNamespace: true }, SEEN)).toEqual({
      value: { ...NONE, repoHost: true },
      observedAt: SEEN,
      source: 'mcp_registry',
    });
    expect(observedAccounts({ ...UNKNOWN_CREATOR, ...social }, SEEN)).toEqual({
      value: NONE,
      observedAt: CHECKED,
      source: 'linked_accounts',
    });
  });

  it('combine the namespace with accounts proved here', () => {
    const proved = { hasAccount: true, provedKinds: ['node_packages'], provedAt: CHECKED };

    expect(
      observedAccounts({ ...UNKNOWN_CREATOR, ...proved, hasRegistryNamespace: true }, SEEN)?.value,
    ).toEqual({
      ...NONE,
      repoHost: true,
      nodePackages: true,
    });
  });
});

describe('the age of the account', () => {
  const imported = { ...UNKNOWN_CREATOR, importedAccountCreatedAt: '2015-03-01T00:00:00+01:00' };

  it('is unknown for most creators', () => {
    expect(observedAccountAge(UNKNOWN_CREATOR)).toBeNull();
  });

  it('is what a source states, in UTC', () => {
    expect(observedAccountAge(imported)).toEqual({
      value: '2015-02-28T23:00:00.000Z',
      observedAt: UNKNOWN_CREATOR.creatorConfirmedAt,
      source: 'registry',
    });
  });

  it('prefers that of the proved account on the repository host', () => {
    const proved = { hostAccountCreatedAt: '2012-01-01T00:00:00.000000Z', hostAccountCheckedAt: CHECKED };

    expect(observedAccountAge({ ...imported, ...proved })).toEqual({
      value: '2012-01-01T00:00:00.000000Z',
      observedAt: CHECKED,
      source: 'linked_accounts',
    });
  });
});
