import type { Command } from 'commander'
import type { Trail, TrailLine } from '../../trail/trail'
import { branch, leaf, withStorage } from '../kit/leaf'
import { limitOf, printShown, withLimit, type ListForm, type LongListOptions } from '../kit/listing'

interface TrailOptions extends LongListOptions {
  readonly subject?: string
}

const view = ({ at, ...line }: TrailLine) => ({ ...line, at: new Date(at).toISOString() })

export function trailCommand(program: Command): void {
  const trail = branch(program, 'trail', 'show who changed what')

  withLimit(leaf(trail, 'list', 'list changes, newest first', 'trail list --subject key:7'))
    .option('--subject <kind:id>', 'only of this account, project, key, vendor, model, setting …')
    .action(list)
}

const list = (options: TrailOptions): Promise<void> =>
  withStorage(options, ({ trail }) =>
    printShown(options, { rows: linesOf(trail, options), more: 0 }, form),
  )

/** A page of the trail, of which nothing is edited while it is read. */
const pageLines = 1000

async function* linesOf(trail: Trail, options: TrailOptions) {
  const { subject = null } = options
  let before: number | null = null
  for (let left = limitOf(options); left > 0; left -= pageLines) {
    const page: readonly TrailLine[] = await trail.list({
      subject,
      before,
      max: Math.min(left, pageLines),
    })
    for (const line of page) yield view(line)
    before = page.at(-1)?.id ?? null
    if (page.length < pageLines) return
  }
}

const form: ListForm<ReturnType<typeof view>> = {
  columns: ['id', 'at', 'who', 'what', 'subject', 'before', 'after'],
  heading: ['AT', 'WHO', 'WHAT', 'SUBJECT', 'CHANGE'],
  cells: (line) => [line.at, line.who, line.what, line.subject, changeOf(line)],
}

/** `name: "a" → "b"`, a field after the other; without those that were and are nothing. */
const changeOf = ({ before, after }: Pick<TrailLine, 'before' | 'after'>): string =>
  [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
    .filter((name) => (before?.[name] ?? after?.[name] ?? null) !== null)
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
