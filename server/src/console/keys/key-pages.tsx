import { pauseOwnKey, resumeOwnKey, revokeOwnKey } from '../../keys/own-keys.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { ConsoleRouter } from '../frame/console-router.ts';
import { partOf } from '../frame/visit.ts';
import { RevokeQuestion } from './key-question-views.tsx';
import { registerNewKeyPages } from './new-key-pages.tsx';
import { registerReplacePages } from './replace-key-pages.tsx';
import { showKeys } from './show-keys.tsx';
import { visitorKey } from './visitor-keys.ts';

const LIST = '/console/keys';

/** The account's keys: list, create, pause, resume, replace, revoke. */
export function registerKeyPages(router: ConsoleRouter, parts: ConsoleParts): void {
  const { database, planBook } = parts;
  router.show(LIST, (visit) => showKeys(parts, visit));
  registerNewKeyPages(router, parts);
  registerReplacePages(router, parts);
  router.take(`${LIST}/:id/pause`, LIST, async (visit) => {
    await pauseOwnKey(database, visit.sessionId, partOf(visit, 'id'));
    return { redirectTo: `${LIST}?done=paused` };
  });
  router.take(`${LIST}/:id/resume`, LIST, async (visit) => {
    await resumeOwnKey(database, planBook, visit.sessionId, partOf(visit, 'id'));
    return { redirectTo: `${LIST}?done=resumed` };
  });
  router.show(`${LIST}/:id/revoke`, async (visit) => {
    const key = await visitorKey(parts, visit);
    return { title: 'Revoke a key', tab: 'keys', content: <RevokeQuestion keyRecord={key} /> };
  });
  router.take(`${LIST}/:id/revoke`, `${LIST}/:id/revoke`, async (visit) => {
    await revokeOwnKey(database, visit.sessionId, partOf(visit, 'id'));
    return { redirectTo: `${LIST}?done=revoked` };
  });
}
