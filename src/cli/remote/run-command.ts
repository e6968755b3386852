import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AdminError } from '../../admin/admin-error'
import type { CommandEvent, CommandLine, CommandOrder } from '../../app/command-line'

/** Argument by which the program takes an order, in the place of a command. */
export const orderWord = 'take-order'

const maxAtOnce = 3
const maxMs = 600_000
const maxOutputChars = 64_000_000
/** As `timeout` has it. */
const timeoutCode = 124

/** The program as it runs here. */
const self = (): readonly string[] =>
  Bun.isStandaloneExecutable
    ? [process.execPath]
    : [process.execPath, join(import.meta.dir, '../../main.ts')]

let running = 0

/** @returns what gives the place back, once @throws AdminError commands_busy */
function takePlace(): () => void {
  if (running >= maxAtOnce) throw new AdminError('commands_busy', { max: maxAtOnce })
  running++
  let isOver = false
  return () => {
    if (!isOver) running--
    isOver = true
  }
}

/** Runs commands of operators who are elsewhere, each in a process of its own. */
export const runRemoteCommand: CommandLine['run'] = (order, signal) => {
  const release = takePlace()
  const events = eventsOf(order, signal, release)
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => events.next(),
      // Whoever leaves before the first piece ends what has not begun.
      async return() {
        release()
        return await events.return()
      },
    }),
  }
}

async function* eventsOf(
  order: CommandOrder,
  signal: AbortSignal,
  release: () => void,
): AsyncGenerator<CommandEvent, void, void> {
  const ending = AbortSignal.any([signal, AbortSignal.timeout(maxMs)])
  const child = Bun.spawn([...self(), orderWord], {
    env: { ...process.env, CHAPAR_COMMAND: 'chapar' },
    cwd: tmpdir(),
    stdin: new TextEncoder().encode(JSON.stringify(order)),
    stdout: 'pipe',
    stderr: 'pipe',
    signal: ending,
    // A transaction that it is in is none then.
    killSignal: 'SIGKILL',
  })
  try {
    let left = maxOutputChars
    const queue = openQueue<CommandEvent>()
    const listen = async (stream: ReadableStream<Uint8Array>, name: 'stdout' | 'stderr') => {
      const decoder = new TextDecoder()
      for await (const bytes of stream) {
        await queue.push({ [name]: decoder.decode(bytes, { stream: true }) } as CommandEvent)
      }
    }
    void Promise.allSettled([listen(child.stdout, 'stdout'), listen(child.stderr, 'stderr')]).then(
      queue.end,
    )
    for await (const event of queue.events) {
      if ('stdout' in event) left -= event.stdout.length
      if ('stderr' in event) left -= event.stderr.length
      if (left < 0) {
        child.kill('SIGKILL')
        yield { stderr: `chapar: more than ${maxOutputChars} characters: narrow it down\n` }
        yield { exit: 1 }
        return
      }
      yield event
    }
    const code = await child.exited
    if (ending.aborted) yield { stderr: `chapar: ended after ${maxMs / 1000} seconds\n` }
    yield { exit: ending.aborted ? timeoutCode : code }
  } finally {
    child.kill('SIGKILL')
    release()
  }
}

/** Pieces in their order, of whom the next waits until the last was taken. */
function openQueue<T>() {
  const { readable, writable } = new TransformStream<T, T>()
  const writer = writable.getWriter()
  return {
    events: readable as AsyncIterable<T>,
    push: (piece: T) => writer.write(piece),
    end: () => void writer.close().catch(() => {}),
  }
}
