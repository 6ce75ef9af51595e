import { Command } from 'commander';
import { addAccountCommands } from './account-commands.ts';
import { addArchiveCommand } from './archive-command.ts';
import { addBackupCommands } from './backup-commands.ts';
import { addClaimCommands } from './claim-commands.ts';
import { addCreatorCommands } from './creator-commands.ts';
import { addCreditCommands } from './credit-commands.ts';
import { addDatabaseCommands } from './database-commands.ts';
import { addIdentityCommands } from './identity-commands.ts';
import { addImportCommand } from './import-command.ts';
import { addKeyCommands } from './key-commands.ts';
import { addLedgerCommands } from './ledger-commands.ts';
import { addListingCommands } from './listing-commands.ts';
import { addRecomputeCommand } from './recompute-command.ts';
import { addRefreshCommand } from './refresh-command.ts';
import { addScoringCommand } from './scoring-command.ts';
import { addServeCommand } from './serve-command.ts';

/**
 * The operator's command line. It works while the server runs (it joins the embedded database) and while it does not (it
 * starts the database for as long as it needs it).
 */
export function createProgram(): Command {
  const program = new Command('trust-directory-server')
    .description('Operate a Trust Directory: its database, listings, accounts, keys and ledger.')
    .showHelpAfterError('(see --help)');
  addServeCommand(program);
  addDatabaseCommands(program);
  addBackupCommands(program);
  addImportCommand(program);
  addAccountCommands(program);
  addIdentityCommands(program);
  addCreditCommands(program);
  addKeyCommands(program);
  addCreatorCommands(program);
  addClaimCommands(program);
  addListingCommands(program);
  addRefreshCommand(program);
  addRecomputeCommand(program);
  addScoringCommand(program);
  addLedgerCommands(program);
  addArchiveCommand(program);
  return program;
}
