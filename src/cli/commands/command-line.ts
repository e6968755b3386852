import type { Command } from 'commander'
import type { CommandLine } from '../../app/command-line'
import { runRemoteCommand, runHere } from '../remote/run-command'
import { describeCommands } from '../kit/describe-commands'
import { refusalWords } from './refusal-words'

/** Commands as a serving process knows them. @param program the whole command line */
export const commandLineOf = (program: Command): CommandLine => ({
  describe: () => describeCommands(program),
  words: refusalWords,
  run: runRemoteCommand,
  runHere,
})
