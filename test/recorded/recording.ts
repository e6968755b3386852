import { expect } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Answers by what was asked, in the order in which they came. */
export type Entries = Map<string, string>

const isRecording = process.env['CHAPAR_RECORD'] === '1'
const head = '=== '

const pathOf = (name: string): string => join(import.meta.dir, `${name}.txt`)

const written = (entries: Entries): string =>
  [...entries].map(([title, text]) => `${head}${title}\n${text.trimEnd()}\n`).join('\n')

function readEntries(text: string): Entries {
  const entries: Entries = new Map()
  for (const part of `\n${text}`.split(`\n${head}`).slice(1)) {
    const end = part.indexOf('\n')
    entries.set(part.slice(0, end), part.slice(end + 1).trimEnd())
  }
  return entries
}

/** Lines of an entry, by which a difference can be read. */
const lines = (text: string | undefined): readonly string[] => text?.trimEnd().split('\n') ?? []

/**
 * Compares what came with what is recorded in `<name>.txt`; with CHAPAR_RECORD=1 it writes it instead.
 */
export function expectRecorded(name: string, entries: Entries): void {
  if (isRecording) writeFileSync(pathOf(name), written(entries))
  const recorded = existsSync(pathOf(name)) ? readEntries(readFileSync(pathOf(name), 'utf8')) : null
  if (recorded === null) throw new Error(`${name}.txt is not there: renew it with CHAPAR_RECORD=1`)
  const others = [...recorded].filter(
    ([title, text]) => entries.has(title) && entries.get(title)?.trimEnd() !== text,
  )
  const cameInstead = others.map(([title]) => [title, lines(entries.get(title))])
  expect(cameInstead).toEqual(others.map(([title, text]) => [title, lines(text)]))
  expect([...entries.keys()]).toEqual([...recorded.keys()])
}

/** The part of a recorded entry that has this name; empty where there is none. */
export function recordedPart(name: string, title: string, partName: string): string {
  const entry = readEntries(readFileSync(pathOf(name), 'utf8')).get(title) ?? ''
  const [, text = ''] = `\n${entry}`.split(`\n--- ${partName}\n`)
  return text.split('\n--- ')[0] ?? ''
}

/** One JSON value as lines; anything else as it is. */
export function readable(text: string): string {
  if (!text.startsWith('{') && !text.startsWith('[')) return text
  try {
    return `${JSON.stringify(JSON.parse(text), null, 1)}\n`
  } catch {
    return text
  }
}

/** A part of an entry, under its name; nothing where it is empty. */
export const part = (name: string, text: string): string =>
  text === '' ? '' : `--- ${name}\n${text.endsWith('\n') ? text : `${text}\n(no line end)\n`}`

/** Adds an entry; what is asked twice has two. */
export function addEntry(entries: Entries, title: string, text: string): void {
  let own = title
  for (let count = 2; entries.has(own); count++) own = `${title} (${count})`
  entries.set(own, text)
}
