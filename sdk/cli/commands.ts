import type { Command } from './command.ts';
import { balance } from './commands/balance.ts';
import { changes } from './commands/changes.ts';
import { check } from './commands/check.ts';
import { completion } from './commands/completion.ts';
import { explain } from './commands/explain.ts';
import { history } from './commands/history.ts';
import { identity } from './commands/identity.ts';
import { lineage } from './commands/lineage.ts';
import { lookup } from './commands/lookup.ts';
import { mock } from './commands/mock.ts';
import { receipts } from './commands/receipts.ts';
import { recompute } from './commands/recompute.ts';
import { score } from './commands/score.ts';
import { search } from './commands/search.ts';
import { snapshot } from './commands/snapshot.ts';
import { verify } from './commands/verify.ts';
import { completionScript } from './completion-script.ts';

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  lookup,
  check,
  snapshot,
  explain,
  history,
  search,
  lineage,
  identity,
  changes,
  score,
  receipts,
  balance,
  verify,
  recompute,
  mock,
  completion((shell) => completionScript(shell, COMMANDS)),
];
