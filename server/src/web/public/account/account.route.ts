import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccountType } from '../../../catalog/platform-accounts/write-accounts.ts';
import { loadPublicPaths } from '../../../catalog/subjects/load-public-paths.ts';
import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import type { ResolvedSubject } from '../../../catalog/subjects/resolve-subject.ts';
import { resolveSubject } from '../../../catalog/subjects/resolve-subject.ts';
import type { Connection } from '../../../platform/database/connect.ts';
import { DomainError } from '../../../platform/errors/domain-error.ts';
import { pathOf } from '../../../platform/http/redirect-paths.ts';
import { sendHtml } from '../../components/send-html.ts';
import { type PageDependencies, SUBJECT_ROUTE } from '../frame/page-dependencies.ts';
import { loadScoreDetail } from '../score/score-detail.queries.ts';
import type { AccountPage } from './account.page.tsx';
import { accountDocument } from './account.page.tsx';
import { findAccountFacts } from './account.queries.ts';

/** Registers the pages of social and messaging accounts. */
export function registerAccountPages(pages: FastifyInstance, { publicUrls }: PageDependencies): void {
  const show = (type: AccountType) => async (request: FastifyRequest, reply: FastifyReply) => {
    const { reads } = request;
    const subject = await resolveSubject(reads, type, pathOf(request.url), publicUrls);
    const page = await loadAccountPage(reads, subject, publicUrls);
    if (page === null) throw new DomainError('not_found', 'There is no page at this address.');
    return sendHtml(reply, accountDocument(page, publicUrls));
  };
  pages.get('/u/:platform/:handle', SUBJECT_ROUTE, show('social_account'));
  pages.get('/m/:platform/:handle', SUBJECT_ROUTE, show('messaging_account'));
}

/** Loads the data of an account's page, or null if there is no such account. Only reads. */
async function loadAccountPage(
  connection: Connection,
  subject: ResolvedSubject,
  publicUrls: PublicUrls,
): Promise<AccountPage | null> {
  const found = await findAccountFacts(connection, subject.id);
  if (!found) return null;
  const { ownerId, ...facts } = found;
  const owners = ownerId === null ? [] : [{ id: ownerId, type: 'creator' as const }];
  const paths = await loadPublicPaths(connection, owners, publicUrls);
  const path = paths.get(ownerId ?? '');
  return {
    subject,
    facts,
    owner: path === undefined ? null : { path, text: facts.ownerHandle ?? path },
    score: await loadScoreDetail(connection, subject.id),
  };
}
