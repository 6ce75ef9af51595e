import type { IdentityProfile } from '../../src/index.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { scoreFields } from '../format-score.ts';
import { fieldLines, type Page, paragraph } from '../text/layout.ts';

/** Shows a creator's profile. Free, without a key. */
export const identity: Command = {
  name: 'identity',
  argument: '<handle>',
  argumentCount: [1, 1],
  summary: 'Show a creator: score, verified accounts, number of listings. Free.',
  options: {},
  examples: [
    ['trust-directory identity google-gemini', 'By handle'],
    ['trust-directory identity github.com:google-gemini', 'Where two hosts have the same handle'],
  ],
  async run({ words: [handle = ''], output, signal, client }) {
    const { identities } = await client();
    // Accept handles with @, as in mentions.
    const profile = await identities.get(handle.replace(/^@(?=.)/, ''), { signal });
    output.result(profile, profileLines);
    return EXIT.ok;
  },
};

function profileLines(profile: IdentityProfile, page: Page): string[] {
  const proved = Object.entries(profile.verifiedAccounts).filter(([, isProved]) => isProved === true);
  return [
    ...paragraph(profile.displayName, page, 'bold'),
    ...fieldLines(
      [
        ['handle', profile.handle],
        ...scoreFields(profile),
        ['proved', proved.map(([kind]) => wordsOf(kind)).join(', ') || 'no account'],
        ['listings', String(profile.agentCount)],
        ['equity', profile.trustEquity.toFixed(1)],
      ],
      page,
    ),
  ];
}

/** Splits a camelCase name into words. */
const wordsOf = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
