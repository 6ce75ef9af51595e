/** An address of every kind of public page in the directory world. */
export const PUBLIC_PAGES: Readonly<Record<string, string>> = {
  home: '/',
  search: '/?q=tool&type=skill&sort=name&page=2',
  'search-nothing': '/?q=no+such+thing',
  agent: '/a/acme/changelog-agent',
  unclaimed: '/s/unknown-hands/notes',
  'long-names': `/s/${'very-long-owner-'.repeat(2)}x/${'unbroken'.repeat(9)}`,
  'right-to-left': '/s/dal%C4%ABl/b%C4%81%E1%B8%A5ith',
  artifact: '/s/acme/changelog-agent/write-notes',
  creator: '/c/acme',
  social: '/u/x/AcmeRobotics',
  messaging: '/m/telegram/free_agents_airdrop',
  method: '/method',
  missing: '/a/acme/nothing-here',
  'sign-in': '/sign-in',
  'sign-out': '/sign-out',
};
