import { isFields } from '../../gateway/json/fields'
import { typeable } from './command-name'
import { forPeople } from '../../domain/local-time'

/* The only place that writes to the terminal. */

/** Whoever reads us may stop reading, as `head` does: that is no failure. */
process.stdout.on('error', (thrown: NodeJS.ErrnoException) => {
  if (thrown.code !== 'EPIPE') throw thrown
})

export const printLine = (text = ''): void => void process.stdout.write(`${readable(text)}\n`)

/** For people: commands as they can be typed here, and a sign before the currency. */
const readable = (text: string): string => withoutControls(typeable(signed(text)))

/**
 * Control characters as pictures (Unicode, 2400–2421), except line ends and tabs: a terminal would obey what a customer
 * put into a name.
 */
export const withoutControls = (text: string): string =>
  text.replaceAll(/[^\P{Cc}\n\t]/gu, pictureOf)

const inOneLine = (text: string): string => text.replaceAll(/\p{Cc}/gu, pictureOf)

function pictureOf(control: string): string {
  const code = control.charCodeAt(0)
  if (code === 0x7f) return '\u2421'
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd'
}

const signed = (text: string): string => text.replaceAll(/\$-(?=\d)/g, '−$')

/** Text without a line end, for answers that come word by word. */
export const printPart = (text: string): void => void process.stdout.write(text)

export const printJson = (value: unknown): void =>
  void process.stdout.write(`${JSON.stringify(value)}\n`)

/** One plain line for people who wait for something else on standard output. */
export const printError = (text: string): void =>
  printErrorPart(`${withoutControls(signed(text).replace(/\s*\n\s*/g, ' '))}\n`)

/** Text as it is: usage and suggestions span lines. */
export const printErrorPart = (text: string): void => void process.stderr.write(typeable(text))

const progressMs = 200
let progressAt = 0
let isProgressShown = false

/** Whether somebody watches who sees a line that changes. */
export const isWatched = (): boolean => process.stderr.isTTY

/** Prints the progress of long work in one line; the next one takes its place. */
export function printProgress(text: string): void {
  if (!isWatched() || performance.now() - progressAt < progressMs) return
  progressAt = performance.now()
  isProgressShown = true
  process.stderr.write(`\r\u001b[K${text}`)
}

/** Takes that line away. */
export function endProgress(): void {
  if (isProgressShown) process.stderr.write('\r\u001b[K')
  isProgressShown = false
}

/** Whether what is printed is read at a terminal, and not kept in a file or a journal. */
export const isTerminal = (): boolean => process.stdout.isTTY

/** Whether a person sits before us, so that a question will be answered. */
export const isInteractive = (): boolean => process.stdin.isTTY && isTerminal()

const chunkLength = 65_536

/** Lines without an end in sight: waits while nobody reads them, and stops once nobody will. */
export async function printStream(lines: Iterable<string> | AsyncIterable<string>): Promise<void> {
  let chunk = ''
  for await (const line of lines) {
    chunk += `${line}\n`
    if (chunk.length < chunkLength) continue
    if (process.stdout.destroyed) return
    if (!process.stdout.write(chunk)) await drained()
    chunk = ''
  }
  printPart(chunk)
}

const drained = (): Promise<void> =>
  new Promise((resolve) => {
    const over = () => {
      for (const event of ends) process.stdout.off(event, over)
      resolve()
    }
    const ends = ['drain', 'close', 'error'] as const
    for (const event of ends) process.stdout.on(event, over)
  })

/** Aligned columns; the first row is the heading. Instants are shown in the operator's time zone. */
export function printTable(table: readonly (readonly string[])[]): void {
  const rows = table.map((row) => row.map((cell) => inOneLine(forPeople(cell))))
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => Bun.stringWidth(row[column] ?? ''))),
  )
  for (const row of rows)
    printLine(
      row
        .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - Bun.stringWidth(cell)))
        .join('  ')
        .trimEnd(),
    )
}

/**
 * Names and values, one a line; what only programs ask for, `object`, is left out. Instants are shown in the
 * operator's time zone.
 */
export function printFields(fields: Readonly<Record<string, unknown>>): void {
  const shownFields = Object.entries(fields).filter(([name]) => name !== 'object')
  const width = Math.max(...shownFields.map(([name]) => name.length))
  for (const [name, value] of shownFields)
    printLine(`${name.padEnd(width)}  ${inOneLine(shown(value))}`)
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(shown).join(', ')
  if (typeof value === 'object' && Object.keys(value).length === 0) return '–'
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, inner]) => `${name}=${isFields(inner) ? JSON.stringify(inner) : shown(inner)}`)
      .join(' ')
  return typeof value === 'string' ? forPeople(value) : JSON.stringify(value)
}
