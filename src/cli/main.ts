import { runProgram } from './program'
import { remoteOf, runElsewhere } from './remote/client'
import { orderWord } from './remote/run-command'
import { takeOrder } from './remote/take-order'

/** Runs what was typed: here, or where `--remote` says. */
export async function runMain(args: readonly string[]): Promise<void> {
  if (args[0] === orderWord) return await takeOrder()
  const remote = remoteOf(args, process.env)
  await (remote === null ? runProgram(args) : runElsewhere(remote))
}
