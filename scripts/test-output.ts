import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'

/** Escape sequences that terminals take for colours. */
const colour = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g')
/** Lines of output in which a summary is looked for: it comes last. */
const summaryLines = 200
/** Lines kept of what was printed before a test failed. */
const toldLines = 60

/** Picks the failures out of the output of `bun test` as it comes, and keeps its last lines. */
export class TestOutput {
  readonly #failures: string[][] = []
  readonly #last: string[] = []
  /** Since the last test ended. */
  #told: string[] = []
  /** A failure whose cause came behind it, or will: of two processes each writes its own errors. */
  #unexplained: { readonly lines: string[]; hasCause: boolean } | null = null
  #file = ''
  /** At the end the failures are named once more. */
  #isEnding = false

  add(line: string): void {
    const plain = line.replaceAll(colour, '')
    this.#last.push(plain)
    if (this.#last.length > summaryLines) this.#last.shift()
    const file = /^(\S+\.test\.ts):$/.exec(plain)?.[1]
    if (/^\d+ tests? failed:$/.test(plain)) this.#isEnding = true
    if (this.#isEnding) return
    const isResult = /^\((pass|fail|skip|todo)\) /.test(plain)
    if (file === undefined && !isResult) return this.#tell(plain)
    if (this.#unexplained?.hasCause === true) this.#unexplained = null
    if (file !== undefined) this.#file = file
    if (plain.startsWith('(fail) ')) this.#fail(plain)
    this.#told = []
  }

  /** Adds all lines. @param show gets each as it comes */
  async read(stream: ReadableStream<Uint8Array>, show?: (line: string) => void): Promise<void> {
    for await (const line of createInterface({ input: Readable.fromWeb(stream) })) {
      show?.(line)
      this.add(line)
    }
  }

  /** Output of each failure, its file first. */
  get failures(): readonly string[] {
    return this.#failures.map((lines) => lines.join('\n'))
  }

  get summary(): string {
    return this.#last.join('\n')
  }

  #fail(line: string): void {
    const lines = [`${this.#file}:`, ...this.#told.slice(-toldLines), line]
    this.#failures.push(lines)
    this.#unexplained = this.#told.some(isCause) ? null : { lines, hasCause: false }
  }

  #tell(line: string): void {
    this.#told.push(line)
    if (this.#unexplained === null || this.#unexplained.lines.length > 2 * toldLines) return
    this.#unexplained.lines.push(line)
    this.#unexplained.hasCause ||= isCause(line)
  }
}

const isCause = (line: string): boolean => line.startsWith('error: ')
