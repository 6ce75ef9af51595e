import { DomainError } from '../../domain-error.ts';
import { replaceKey } from '../../keys/replace-key.ts';
import { requireKey } from '../../keys/require-key.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { Answer, Page } from '../frame/answer.ts';
import type { ConsoleRouter } from '../frame/console-router.ts';
import { lineOf, NONE, type Problems, problemOf, WHOLE } from '../frame/problems.ts';
import { requireRecent } from '../frame/require-recent.ts';
import { partOf, type Visit } from '../frame/visit.ts';
import { loadFirstAsked } from './first-call.ts';
import { checkKeyForm, expiryOf } from './key-form.ts';
import { KeyMade } from './key-made-view.tsx';
import { ReplaceQuestion } from './key-question-views.tsx';
import { visitorKey } from './visitor-keys.ts';

const REPLACE = '/console/keys/:id/replace';

/** Replacing a key: asked on a page of its own, since the old one ends with it. A form sent twice finds the old key gone. */
export function registerReplacePages(router: ConsoleRouter, parts: ConsoleParts): void {
  router.show(REPLACE, async (visit) => {
    await requireRecent(parts, visit);
    return ask(parts, visit, null, NONE);
  });
  router.take(REPLACE, REPLACE, (visit) => replace(parts, visit));
}

async function ask(
  parts: ConsoleParts,
  visit: Visit,
  typed: { name: string; expires: string } | null,
  problems: Problems,
): Promise<Page> {
  const key = await visitorKey(parts, visit);
  const { name = key.name, expires = '' } = typed ?? {};
  return {
    title: 'Replace a key',
    tab: 'keys',
    status: problems.size > 0 ? 400 : 200,
    content: <ReplaceQuestion keyRecord={key} name={name} expires={expires} problems={problems} />,
  };
}

async function replace(parts: ConsoleParts, visit: Visit): Promise<Answer> {
  const { database, planBook, naming } = parts;
  const { state } = await requireKey(database, visit.accountId, partOf(visit, 'id'));
  // A reload of the page that showed the new key.
  if (state === 'revoked') return { redirectTo: '/console/keys?done=replaced-before' };
  const typed = { name: lineOf(visit.form, 'name'), expires: lineOf(visit.form, 'expires') };
  const problems = checkKeyForm(typed);
  if (problems.size > 0) return ask(parts, visit, typed, problems);
  // Read before the key is made: after that nothing may fail that keeps its secret from being shown.
  const asked = await loadFirstAsked(parts);
  try {
    const made = await replaceKey(database, planBook, {
      sessionId: visit.sessionId,
      replacesKeyId: partOf(visit, 'id'),
      name: typed.name,
      expiresAt: expiryOf(typed.expires),
    });
    const content = <KeyMade made={made} name={typed.name} site={naming.site.origin} asked={asked} />;
    return { title: 'Your new key', tab: 'keys', content };
  } catch (error) {
    return ask(parts, visit, typed, explain(error));
  }
}

/** Throws on what no field can mend. */
function explain(error: unknown): Problems {
  if (!(error instanceof DomainError)) throw error;
  if (error.code === 'key_limit_reached') return problemOf(WHOLE, error.message);
  if (error.code === 'invalid_request') return problemOf('expires', error.message);
  throw error;
}
