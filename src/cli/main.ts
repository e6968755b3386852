import { runProgram } from './program'
import { remoteOf, runElsewhere } from './remote/client'

/** Runs what was typed: here, or where `--remote` says. */
export async function runMain(args: readonly string[]): Promise<void> {
  const remote = remoteOf(args, process.env)
  await (remote === null ? runProgram(args) : runElsewhere(remote))
}
