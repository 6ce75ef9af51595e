import { type Attempt, type Forgery, published } from './forgery.ts';

const ON_GITHUB = { kind: 'repo_host', host: 'github.com' } as const;
const domainOf = ({ number }: Attempt) => `team-${number}.example`;

/** Adds the organisation with a website, which counts as evidence only for organisations. */
function organisation({ world, victim }: Attempt, website: string, changes = {}): void {
  world.standIn.world.account({ handle: victim, isOrganisation: true, website, ...changes });
}

/** Creates a forgery in which DNS returns these records and the profile names this website. */
function withRecords(
  forged: string,
  website: (attempt: Attempt) => string,
  records: (attempt: Attempt, code: string) => Record<string, string>,
  changes = {},
): Forgery {
  return published(forged, ON_GITHUB, (attempt, code) => {
    organisation(attempt, website(attempt), changes);
    for (const [name, record] of Object.entries(records(attempt, code))) {
      attempt.world.textRecords.set(name, [record]);
    }
  });
}

const own = (attempt: Attempt) => `https://${domainOf(attempt)}/`;
/** Returns the DNS record that an organisation of that website would publish. */
const at = (domain: string) => (_: Attempt, code: string) => ({ [`_trust-directory.${domain}`]: code });

const SHARED = [
  'github.io',
  'gitlab.io',
  'codeberg.page',
  'pages.dev',
  'vercel.app',
  'netlify.app',
  'duckdns.org',
  's3.amazonaws.com',
];

/** Forgeries of organisations, with codes where members, people who deploy its website or owners of similar domains can write. */
export const ORGANISATION_FORGERIES: readonly Forgery[] = [
  withRecords('no record, only a website that any deployer writes', own, () => ({})),
  withRecords('a record of the domain itself', own, (attempt, code) => ({ [domainOf(attempt)]: code })),
  withRecords('a record of a name beneath the right one', own, (attempt, code) => ({
    [`x._trust-directory.${domainOf(attempt)}`]: code,
  })),
  withRecords('a record with more than the code', own, (attempt, code) => ({
    [`_trust-directory.${domainOf(attempt)}`]: `${code} and more`,
  })),
  withRecords('a record of a domain that the profile does not name', own, (attempt, code) => ({
    [`_trust-directory.attackers-${domainOf(attempt)}`]: code,
  })),
  withRecords(
    'a record of the parent of the named domain',
    (attempt) => `https://docs.${domainOf(attempt)}`,
    (attempt, code) => ({ [`_trust-directory.${domainOf(attempt)}`]: code }),
  ),
  withRecords(
    'a page of a shared domain',
    (attempt) => `https://${domainOf(attempt)}/~team`,
    (attempt, code) => ({ [`_trust-directory.${domainOf(attempt)}`]: code }),
  ),
  withRecords(
    'a website with a port',
    (attempt) => `https://${domainOf(attempt)}:8443/`,
    (attempt, code) => ({ [`_trust-directory.${domainOf(attempt)}`]: code }),
  ),
  withRecords('a public suffix', () => 'https://co.uk/', at('co.uk')),
  withRecords('a public suffix behind www', () => 'https://www.co.uk/', at('co.uk')),
  withRecords('a top-level domain', () => 'https://com/', at('com')),
  withRecords('an address in place of a domain', () => 'https://127.0.0.1/', at('127.0.0.1')),
  ...SHARED.map((suffix) =>
    withRecords(`a name under ${suffix}`, () => `https://acme.${suffix}/`, at(`acme.${suffix}`)),
  ),
  withRecords(
    'a record of a person’s website',
    own,
    (attempt, code) => ({ [`_trust-directory.${domainOf(attempt)}`]: code }),
    { isOrganisation: false },
  ),
  published('a package of the npm user that the profile names', ON_GITHUB, (attempt, code) => {
    organisation(attempt, 'https://www.npmjs.com/~team-npm');
    attempt.world.standIn.world.package({
      ...{ api: 'npm', name: '@team-npm/trust-directory', users: ['team-npm'], description: code },
    });
  }),
  published('a website that changes while DNS is asked', ON_GITHUB, (attempt, code) => {
    organisation(attempt, own(attempt));
    const found = attempt.world.standIn.world.accounts.at(-1);
    attempt.world.textRecords.set(`_trust-directory.${domainOf(attempt)}`, [code]);
    let asked = 0;
    attempt.world.standIn.onRequest(async () => {
      asked += 1;
      if (asked > 2 && found) found.website = 'https://other.example';
    });
  }),
];
