import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccountType } from '../../../catalog/platform-accounts/write-accounts.ts';
import { loadPublicPaths } from '../../../catalog/subjects/load-public-paths.ts';
import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import { type ResolvedSubject, resolveSubject } from '../../../catalog/subjects/resolve-subject.ts';
import { getIdentity } from '../../../directory/get-identity.ts';
import { linkAgents } from '../../../directory/lists/link-agents.ts';
import { listCreatorAgents } from '../../../directory/lists/list-agents.ts';
import { loadCreatorRelations } from '../../../directory/relations/relations.ts';
import type { Connection } from '../../../platform/database/connect.ts';
import { DomainError } from '../../../platform/errors/domain-error.ts';
import type { ShapedRequest } from '../../../platform/http/contract/validation.ts';
import { pathOf } from '../../../platform/http/redirect-paths.ts';
import { sendHtml } from '../../components/send-html.ts';
import { type PageDependencies, PUBLIC_ROUTE, SUBJECT_ROUTE } from '../frame/page-dependencies.ts';
import { PAGE_SIZE, parseOffset } from '../list/page-links.tsx';
import {
  linkedSubjects,
  linkRelations,
  loadRelationsPage,
  parseRelationsQuery,
} from '../relations/linked-relations.ts';
import { relationsDocument } from '../relations/relations.page.tsx';
import { loadScoreDetail } from '../score/score-detail.queries.ts';
import { type AccountPage, accountDocument } from './account.page.tsx';
import { type CreatorPage, creatorDocument } from './creator.page.tsx';
import { findAccountFacts, listProvedAccounts } from './creator.queries.ts';

export function registerCreatorPages(pages: FastifyInstance, { publicUrls }: PageDependencies): void {
  pages.get<ShapedRequest & { Params: { handle: string } }>(
    '/c/:handle',
    PUBLIC_ROUTE,
    async (request, reply) => {
      const list = parseRelationsQuery(request.query);
      if (list !== null) {
        const { reads } = request;
        const identity = await getIdentity(reads, request.params.handle, publicUrls);
        const name = identity.displayName ?? identity.handle;
        const subject = { ...identity, name, type: 'creator', agentId: null } as const;
        return sendHtml(
          reply,
          relationsDocument(await loadRelationsPage(reads, subject, list, publicUrls), publicUrls),
        );
      }
      const offset = parseOffset(request.query);
      const page = await loadCreatorPage(request.reads, request.params.handle, publicUrls, offset);
      return sendHtml(reply, creatorDocument(page, publicUrls));
    },
  );
}

/** Loads the data of a creator's page, without the first `offset` listings. Throws not_found for an unknown handle. */
async function loadCreatorPage(
  connection: Connection,
  handle: string,
  publicUrls: PublicUrls,
  offset = 0,
): Promise<CreatorPage> {
  const identity = await getIdentity(connection, handle, publicUrls);
  const [records, relations, score, proved] = await Promise.all([
    listCreatorAgents(connection, identity.id, { limit: PAGE_SIZE, offset }),
    loadCreatorRelations(connection, identity.id),
    loadScoreDetail(connection, identity.id),
    listProvedAccounts(connection, identity.id),
  ]);
  const [listings, paths] = await Promise.all([
    linkAgents(connection, records, publicUrls),
    loadPublicPaths(connection, linkedSubjects(relations), publicUrls),
  ]);
  return {
    identity,
    score,
    proved,
    listings,
    offset,
    relations: linkRelations(relations, paths, identity.publicPath),
  };
}

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

/** Loads the data of a social or messaging account's page; returns null if the account has no stored facts. */
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
