import type { CommandOrder } from '../app/command-line'
import { beginSession } from './kit/session'
import { runProgram } from './program'
import { remoteOf, runElsewhere } from './remote/client'
import { orderWord } from './remote/run-command'

/** Runs what was typed: here, or where `--remote` says. */
export async function runMain(args: readonly string[]): Promise<void> {
  if (args[0] === orderWord) return await takeOrder()
  const remote = remoteOf(args, process.env)
  await (remote === null ? runProgram(args) : runElsewhere(remote))
}

/** Runs the one command that a serving process hands over on standard input. */
async function takeOrder(): Promise<void> {
  const { args, files, ...session } = JSON.parse(await Bun.stdin.text()) as CommandOrder
  beginSession({
    ...session,
    files: new Map(
      Object.entries(files).map(([name, content]) => [
        name,
        new Uint8Array(Buffer.from(content, 'base64')),
      ]),
    ),
  })
  await runProgram(args)
}
