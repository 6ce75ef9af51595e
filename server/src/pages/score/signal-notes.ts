import { METHOD } from '../../scoring/embedded/rs-1.0.0.ts';
import { formatCount, formatPercent } from '../../ui/text.tsx';

const { repository, creator, account, provedAccounts, lineage } = METHOD;

const PROVED = `${formatPercent(provedAccounts.repoHost)} for a repository host, ${formatPercent(provedAccounts.nodePackages)} each for npm, PyPI and a professional network`;

function age(halfLife: number): string {
  return `half its worth at ${halfLife} days, then more slowly towards full`;
}

/** What gives a signal its full value, in words around the method's own constants; null for a signal of another method. */
export function noteOfSignal(signal: string): string | null {
  return Object.hasOwn(NOTES, signal) ? (NOTES[signal] ?? null) : null;
}

const NOTES: Readonly<Record<string, string>> = {
  verified_listing: 'full once the owner has proved the account that holds the repository',
  creator_accounts: PROVED,
  creator_age: age(repository.creator_age.halfLife),
  freshness: `full on the day of a commit, half after ${repository.freshness.halfLife} days; finished, licensed work keeps ${formatPercent(repository.freshness.finished.value)}`,
  issue_load: `few open issues for its size; none open counts ${formatPercent(repository.issue_load.noneOpen)}, since a tracker can be emptied`,
  stars: `on a logarithmic scale, full at ${formatCount(repository.stars.saturation)}; at most ${repository.starsPerFork} stars per fork count`,
  forks: `on a logarithmic scale, full at ${formatCount(repository.forks.saturation)}`,
  license: `full for an approved open-source licence, ${formatPercent(repository.license.other)} for another text, nothing for none`,
  metadata: 'the share of these that is given',
  lineage: `trust passed on by a parent, ${formatPercent(lineage.perGeneration)} a generation, half of that while only claimed; counts only where it raises trust`,
  verified_accounts: PROVED,
  account_age: age(creator.account_age.halfLife),
  portfolio: "the trust of the creator's own agents and skills, weighted by confidence",
  graph_equity: 'rank among creators who build on each other, starting from a fixed set of known creators',
  verified_mark: "the platform's own mark of a checked identity",
  audience: `on a logarithmic scale, full at ${formatCount(account.audience.saturation)}`,
  engagement: `reactions or views per post: full at ${formatPercent(account.engagement.target.social_account)} (social) or ${formatPercent(account.engagement.target.messaging_account)} (messaging) of the audience`,
  recency: `half after ${account.recency.halfLife} days without a post`,
  cross_link: `full where profile and repository host name each other, ${formatPercent(account.cross_link.value.one)} for one direction`,
};
