/** Escape sequences that terminals take for colours. */
const colour = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g')
/** Lines of output in which a summary is looked for: it comes last. */
const summaryLines = 200
/** Lines kept of what was printed before a test failed. */
const toldLines = 60

/** Picks the failures out of the output of `bun test` as it comes, and keeps its last lines. */
export class TestOutput {
  /** Output of each failure, its file first. */
  readonly failures: string[] = []
  readonly #last: string[] = []
  /** Since the last test ended. */
  #told: string[] = []
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
    if (file !== undefined) this.#file = file
    else if (plain.startsWith('(fail) '))
      this.failures.push([`${this.#file}:`, ...this.#told.slice(-toldLines), plain].join('\n'))
    else if (!/^\((pass|skip|todo)\) /.test(plain)) {
      this.#told.push(plain)
      return
    }
    this.#told = []
  }

  get summary(): string {
    return this.#last.join('\n')
  }
}
