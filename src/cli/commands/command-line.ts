import type { Command } from 'commander'
import type { CommandLine } from '../../app/command-line'
import { runRemoteCommand } from '../remote/run-command'
import { describeCommands } from '../kit/describe-commands'

/** Commands as a serving process knows them. @param program the whole command line */
export const commandLineOf = (program: Command): CommandLine => ({
  describe: () => describeCommands(program),
  run: runRemoteCommand,
})
