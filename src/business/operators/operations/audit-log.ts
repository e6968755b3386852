import { Type, type Static } from '@sinclair/typebox'
import type { TrailLine } from '../../../domain/audit-log'
import { isUndoable, undoChange } from '../../audit-log/undo'
import type { CommandForm } from '../../operations/command'
import { beforeId, Id, max, orNull, page, pageOf } from '../../operations/fields'
import { asOption } from '../../operations/from-fields'
import { operation } from '../../operations/operation'

const Fields = orNull(Type.Record(Type.String(), Type.Unknown()))
const TrailLineView = Type.Object({
  id: Id,
  at: Type.String(),
  /** `command:ali`, `operator:sara`, `operator-key:…`, `person:7` or `service`. */
  who: Type.String(),
  what: Type.String(),
  /** Such as `key:7`. */
  subject: Type.String(),
  before: Fields,
  after: Fields,
  /** Whether `trail.undo` takes it. */
  undoable: Type.Boolean(),
})

const lineView = (line: TrailLine): Static<typeof TrailLineView> => ({
  ...line,
  at: new Date(line.at).toISOString(),
  undoable: isUndoable(line),
})

const maxShown = 60

function short(value: unknown): string {
  const text = value === undefined || value === null ? '–' : JSON.stringify(value)
  return text.length <= maxShown ? text : `${text.slice(0, maxShown)}…`
}

/** `name: "a" → "b"`, a field after the other; without those that were and are nothing. */
const changeOf = ({ before, after }: Pick<Static<typeof TrailLineView>, 'before' | 'after'>) =>
  [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
    .filter((name) => (before?.[name] ?? after?.[name] ?? null) !== null)
    .map((name) => {
      const now = short(after?.[name])
      return before === null ? `${name}: ${now}` : `${name}: ${short(before[name])} → ${now}`
    })
    .join(', ')

const list: CommandForm<{ readonly data: readonly Static<typeof TrailLineView>[] }> = {
  words: 'trail list',
  about: 'list changes, newest first',
  example: 'trail list --subject key:7',
  object: 'trail_line',
  list: {
    pages: 'before',
    isNewestFirst: true,
    isUntold: true,
    columns: ['id', 'at', 'who', 'what', 'subject', 'before', 'after'],
    heading: ['AT', 'WHO', 'WHAT', 'SUBJECT', 'CHANGE'],
    cells: (line) => [line.at, line.who, line.what, line.subject, changeOf(line)],
  },
}

export const trailOperations = [
  operation({
    name: 'trail.list',
    method: 'GET',
    path: '/trail',
    role: 'viewer',
    about: 'Who changed what, newest first',
    query: {
      subject: asOption(
        Type.Optional(Type.String({ maxLength: 300 })),
        'only of this account, project, key, vendor, model, setting …',
        { option: 'subject <kind:id>' },
      ),
      who: Type.Optional(Type.String({ maxLength: 100 })),
      before: beforeId,
      max,
    },
    result: pageOf(TrailLineView, Id),
    commands: [list],
    async run({ storage }, { query }) {
      const { subject = null, who = null, before = null, max } = query
      const lines = await storage.trail.list({ subject, who, before, max: max + 1 })
      return page(lines.map(lineView), max, ({ id }) => id)
    },
  }),
  operation({
    name: 'trail.undo',
    method: 'POST',
    path: '/trail/{id}/undo',
    role: 'owner',
    about: 'Set back what a line changed, where that is still as it left it',
    params: { id: Id },
    result: Type.Object({ undone: Id, subject: Type.String() }),
    async run(parts, { params }) {
      const line = await undoChange(parts, params.id)
      return { undone: line.id, subject: line.subject }
    },
  }),
] as const
