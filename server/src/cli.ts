#!/usr/bin/env node
import { Command } from 'commander';
import { addAccountCommands } from './commands/account-commands.ts';
import { addCreatorCommands } from './commands/creator-commands.ts';
import { addCreditCommands } from './commands/credit-commands.ts';
import { addDatabaseCommands } from './commands/database-commands.ts';
import { addIdentityCommands } from './commands/identity-commands.ts';
import { addImportCommand } from './commands/import-command.ts';
import { addKeyCommands } from './commands/key-commands.ts';
import { addLedgerCommands } from './commands/ledger-commands.ts';
import { addRecomputeCommand } from './commands/recompute-command.ts';
import { addRefreshCommand } from './commands/refresh-command.ts';
import { addScoringCommand } from './commands/scoring-command.ts';
import { exitWith } from './serve.ts';

// The operator's command line. It works while the server runs (it joins the embedded database) and while it does not
// (it starts the database for as long as it needs it).
const program = new Command('trust-directory-server')
  .description('Operate a Trust Directory: its database, listings, accounts, keys and ledger.')
  .showHelpAfterError('(see --help)');
addDatabaseCommands(program);
addImportCommand(program);
addAccountCommands(program);
addIdentityCommands(program);
addCreditCommands(program);
addKeyCommands(program);
addCreatorCommands(program);
addRefreshCommand(program);
addRecomputeCommand(program);
addScoringCommand(program);
addLedgerCommands(program);

await program.parseAsync().catch(exitWith);
