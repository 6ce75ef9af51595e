import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccountRecord } from '../../accounts/account.ts';
import type { Authentication } from '../../http/credentials/authenticate-caller.ts';
import { clearSessionCookie } from '../../http/credentials/session-cookie.ts';
import { sendHtml } from '../../ui/send-html.ts';
import type { Answer, Page } from './answer.ts';
import { consoleDocument } from './console-document.tsx';
import { readVisit, type Visit, type VisitRoute } from './visit.ts';

/** What a page or a form of the console does for a visit. */
type Story = (visit: Visit) => Promise<Answer>;

/** Registers the console's routes: every one asks who is there before anything else. */
export interface ConsoleRouter {
  /** A page, or a file. */
  show(path: string, story: Story): void;
  /** What a form sends, counted as what it does; `page` is where its sender is led who has to sign in first. */
  take(path: string, page: string, story: Story, limit?: 'write' | 'metered'): void;
}

/** Counted by session, and by address where there is none. */
const READ = { limit: 'read', schemes: ['session'] } as const;

/** The router of one part of the server; `publicUrl` is an origin, `readAccount` tells whose page it is. */
export function createConsoleRouter(
  pages: FastifyInstance,
  authentication: Authentication,
  publicUrl: string,
  readAccount: (accountId: string) => Promise<AccountRecord>,
): ConsoleRouter {
  const serve = (story: Story) => async (request: FastifyRequest<VisitRoute>, reply: FastifyReply) => {
    const visit = await readVisit(request, reply, authentication, readAccount);
    const answer = await story(visit);
    if ('endsSession' in answer) clearSessionCookie(reply, publicUrl);
    if (!('content' in answer)) return send(reply, answer);
    const document = consoleDocument(answer, visit.formToken, await visit.account());
    return sendHtml(reply.code(answer.status ?? 200), document);
  };
  return {
    show: (path, story) => void pages.get<VisitRoute>(path, { config: READ }, serve(story)),
    take: (path, formPage, story, limit = 'write') =>
      void pages.post<VisitRoute>(path, { config: { limit, schemes: ['session'], formPage } }, serve(story)),
  };
}

function send(reply: FastifyReply, answer: Exclude<Answer, Page>): FastifyReply {
  if ('redirectTo' in answer) return reply.redirect(answer.redirectTo, 303);
  reply.header('Content-Disposition', `attachment; filename="${answer.fileName}"`);
  return reply.type(answer.mediaType).send(answer.file);
}
