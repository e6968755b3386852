import { Option, type Command } from 'commander'
import type { TrailFields, TrailLine } from '../../trail/trail'
import { csvLine } from '../../domain/csv-line'
import { branch, leaf, read, withStorage, type CommonOptions } from '../kit/leaf'
import { printJson, printLine, printTable } from '../kit/output'

interface ListOptions extends CommonOptions {
  readonly subject?: string
  readonly limit: number
  readonly csv?: true
}

const view = ({ at, ...line }: TrailLine) => ({ ...line, at: new Date(at).toISOString() })

export function trailCommand(program: Command): void {
  const trail = branch(program, 'trail', 'show who changed what')

  leaf(trail, 'list', 'list changes, newest first', 'trail list --subject key:7')
    .option('--subject <kind:id>', 'only of this account, project, key, vendor, model, setting …')
    .addOption(new Option('--limit <n>', 'newest only').argParser(read.count).default(100))
    .option('--csv', 'comma-separated values, for a spreadsheet')
    .action(list)
}

async function list(options: ListOptions): Promise<void> {
  const { subject = null, limit, json, csv } = options
  if (json && csv) throw new RangeError('say --json or --csv, not both')
  const lines = await withStorage(options, ({ trail }) =>
    trail.list({ subject, before: null, max: limit }),
  )
  if (json) return printJson({ object: 'list', data: lines.map(view) })
  if (csv) return printCsv(lines)
  printTable([
    ['AT', 'WHO', 'WHAT', 'SUBJECT', 'CHANGE'],
    ...lines.map((line) => [
      view(line).at.slice(0, 19),
      line.who,
      line.what,
      line.subject,
      changeOf(line),
    ]),
  ])
}

function printCsv(lines: readonly TrailLine[]): void {
  printLine(csvLine(['id', 'at', 'who', 'what', 'subject', 'before', 'after']))
  for (const line of lines) {
    const { id, who, what, subject, before, after } = line
    printLine(csvLine([id, view(line).at, who, what, subject, jsonOf(before), jsonOf(after)]))
  }
}

const jsonOf = (fields: TrailFields | null): string | null =>
  fields === null ? null : JSON.stringify(fields)

/** `name: "a" → "b"`, a field after the other. */
const changeOf = ({ before, after }: TrailLine): string =>
  [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
    .map((name) => {
      const now = short(after?.[name])
      return before === null ? `${name}: ${now}` : `${name}: ${short(before[name])} → ${now}`
    })
    .join(', ')

const maxShown = 60

function short(value: unknown): string {
  const text = value === undefined || value === null ? '–' : JSON.stringify(value)
  return text.length <= maxShown ? text : `${text.slice(0, maxShown)}…`
}
