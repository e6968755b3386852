import type { CommandOrder } from '../../app/command-line'
import { beginSession } from '../kit/session'
import { runProgram } from '../program'

/** Runs the one command that a serving process hands over on standard input. */
export async function takeOrder(): Promise<void> {
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
