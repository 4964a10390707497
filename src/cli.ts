#!/usr/bin/env node
import 'reflect-metadata';
import { registerAudit } from './composition/commands/audit-command';
import { registerConform } from './composition/commands/conform-command';
import { registerDashboardLink } from './composition/commands/dashboard-link-command';
import { registerDemo } from './composition/commands/demo-command';
import { registerErrors } from './composition/commands/errors-command';
import { registerExplain } from './composition/commands/explain-command';
import { registerKeys } from './composition/commands/keys-command';
import { registerListen } from './composition/commands/listen-command';
import { registerMigrate } from './composition/commands/migrate-command';
import { processIo } from './composition/commands/process-io';
import { runCommands } from './composition/commands/run-commands';
import { registerSandbox } from './composition/commands/sandbox-command';
import { registerStart } from './composition/commands/start-command';

/** All commands, in the order of the help; each is in one file. */
export const commands = [
  ...[registerStart, registerDemo, registerMigrate],
  ...[registerExplain, registerConform, registerListen, registerSandbox],
  ...[registerDashboardLink, registerKeys, registerAudit, registerErrors],
];

if (require.main === module) {
  void runCommands(commands, { args: process.argv.slice(2), io: processIo() }).then((code) => {
    process.exitCode = code;
  });
}
