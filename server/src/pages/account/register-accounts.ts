import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../domain-error.ts';
import { pathOf } from '../../http/path-of.ts';
import type { AccountType } from '../../registry/platform-accounts/account-row.ts';
import { resolveSubject } from '../../subjects/resolve-subject.ts';
import { sendHtml } from '../../ui/send-html.ts';
import { OF_ONE, type PageParts } from '../frame/page-parts.ts';
import { accountDocument } from './account-document.tsx';
import { loadAccountPage } from './load-account-page.ts';

/** Social and messaging accounts. */
export function registerAccounts(pages: FastifyInstance, { naming }: PageParts): void {
  const show = (type: AccountType) => async (request: FastifyRequest, reply: FastifyReply) => {
    const { reads } = request;
    const subject = await resolveSubject(reads, type, pathOf(request.url), naming);
    const page = await loadAccountPage(reads, subject, naming);
    if (page === null) throw new DomainError('not_found', 'There is no page at this address.');
    return sendHtml(reply, accountDocument(page, naming));
  };
  pages.get('/u/:platform/:handle', OF_ONE, show('social_account'));
  pages.get('/m/:platform/:handle', OF_ONE, show('messaging_account'));
}
