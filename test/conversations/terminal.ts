import type { CleanPlace } from '../coding-clis/run-cli'
import { paced } from '../support/pace'

const longestMs = paced(60_000)
const whileMs = paced(400)

/** A program in a terminal, as a user has it before them. */
interface Terminal {
  /** Until this was shown. @throws Error after a minute */
  until(words: string): Promise<void>
  /** Until nothing was typed or shown for a while. */
  settled(): Promise<void>
  type(text: string): void
  readonly exited: Promise<number>
  end(): void
}

/** Answers of a terminal to what programs want to know of it (ECMA-48 and xterm's control sequences). */
const answers: ReadonlyMap<string, string> = new Map([
  ['\u001B[6n', '\u001B[1;1R'],
  ['\u001B[c', '\u001B[?62;c'],
  ['\u001B]10;?', '\u001B]10;rgb:ffff/ffff/ffff\u001B\\'],
  ['\u001B]11;?', '\u001B]11;rgb:0000/0000/0000\u001B\\'],
])

/** What was shown without its spaces: programs skip many of them by moving the cursor. */
const plain = (bytes: string): string => Bun.stripANSI(bytes).replaceAll(/\s/g, '')

/** Starts a program in a terminal of its own, with these variables and no others. */
export function openTerminal(
  command: readonly string[],
  { home, work }: CleanPlace,
  env: Readonly<Record<string, string>>,
): Terminal {
  let bytes = ''
  let shownAt = performance.now()
  const decoder = new TextDecoder()
  const child = Bun.spawn([...command], {
    cwd: work,
    env: {
      HOME: home,
      PATH: process.env['PATH'] ?? '',
      TMPDIR: home,
      TERM: 'xterm-256color',
      ...env,
    },
    terminal: {
      cols: 120,
      rows: 60,
      data(terminal, data) {
        const text = decoder.decode(data, { stream: true })
        bytes += text
        shownAt = performance.now()
        for (const [asked, answer] of answers) if (text.includes(asked)) terminal.write(answer)
      },
    },
  })
  return {
    async until(words) {
      const wanted = plain(words)
      for (const since = performance.now(); !plain(bytes).includes(wanted); await Bun.sleep(20))
        if (performance.now() - since > longestMs || child.exitCode !== null)
          throw new Error(`${words} was not shown: ${plain(bytes).slice(-2000)}`)
    },
    async settled() {
      while (performance.now() - shownAt < whileMs) await Bun.sleep(20)
    },
    type(text) {
      shownAt = performance.now()
      child.terminal?.write(text)
    },
    exited: child.exited,
    end: () => child.kill('SIGKILL'),
  }
}
