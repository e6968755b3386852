import { Type, type Static } from '@sinclair/typebox'
import { dayMs, dayOf, type Ms } from '../../../domain/clock'
import type { AccountId, ProjectId } from '../../../domain/ids'
import { nanoUsd, plus, showUsd, zeroUsd } from '../../../domain/money'
import { serviceUsageGroups, type ServiceUsageGroup } from '../../../domain/reports/report'
import { AdminError } from '../../operations/admin-error'
import { namedUsage, type NamedUsage } from '../usage-report'
import type { CommandForm } from '../../operations/command'
import { Id, orNull, said } from '../../operations/fields'
import { asOption } from '../../operations/from-fields'
import { operation } from '../../operations/operation'

const Day = Type.String({ maxLength: 10 })
const Group = Type.Union(
  serviceUsageGroups.map((each) => Type.Literal(each)),
  { default: 'day' },
)

const UsageSumView = Type.Object({
  /** The day, the model, or a number: of the key, project or account. */
  key: Type.String(),
  requests: Type.Integer(),
  errors: Type.Integer(),
  name: orNull(Type.String()),
  input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  usd: Type.String(),
})
const UsageView = Type.Object({
  /** The first day. */
  from: Type.String(),
  /** The last day. */
  to: Type.String(),
  group: Type.Union(serviceUsageGroups.map((each) => Type.Literal(each))),
  total_usd: Type.String(),
  data: Type.Array(UsageSumView),
})

const sumView = ({ cost, inputTokens, outputTokens, ...sum }: NamedUsage) => ({
  ...sum,
  input_tokens: inputTokens,
  output_tokens: outputTokens,
  usd: showUsd(cost),
})

/** Days since 1970. @throws RangeError */
function dayIn(text: string): number {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time) || dayOf(time as Ms) !== text)
    throw new RangeError('A day is needed, YYYY-MM-DD.')
  return time / dayMs
}

function readDay(text: string): string {
  dayIn(text)
  return text
}

function readGroup(text: string): ServiceUsageGroup {
  const group = serviceUsageGroups.find((each) => each === text)
  if (group === undefined) throw new RangeError(`One of ${serviceUsageGroups.join(', ')}.`)
  return group
}

const columns = [
  'key',
  'name',
  'requests',
  'errors',
  'input_tokens',
  'output_tokens',
  'usd',
] as const

const show: CommandForm<Static<typeof UsageView>> = {
  words: 'usage',
  about: 'sum up usage by day, model, key, project or account (days are UTC)',
  example: 'usage --account 1 --from 2026-01-01 --group model',
  object: 'usage',
  file: ({ data }) => [columns, ...data.map((sum) => columns.map((name) => sum[name]))],
  said: ({ group, data, total_usd }) => ({
    stdout: [
      [
        [group.toUpperCase(), 'REQUESTS', 'ERRORS', 'TOKENS IN', 'TOKENS OUT', 'COST'],
        ...data.map((sum) => [
          sum.name === null ? sum.key : `${sum.key} ${sum.name}`,
          String(sum.requests),
          String(sum.errors),
          String(sum.input_tokens),
          String(sum.output_tokens),
          `$${sum.usd}`,
        ]),
      ],
      `$${total_usd} in all`,
    ],
  }),
}

const daysUnlessReported = 30

const badDay = { rule: 'bad_form', form: 'day' } as const

export const usageOperations = [
  operation({
    name: 'usage.get',
    method: 'GET',
    path: '/usage',
    role: 'viewer',
    about: 'Usage by day, model, key, project or account; days are UTC',
    query: {
      account: asOption(Type.Optional(Id), 'only of this account'),
      project: asOption(Type.Optional(Id), 'only of this project'),
      from: asOption(Type.Optional(Day), 'first day, YYYY-MM-DD (default: 30 days ago)', {
        option: 'from <day>',
        read: readDay,
      }),
      to: asOption(Type.Optional(Day), 'last day, YYYY-MM-DD (default: today)', {
        option: 'to <day>',
        read: readDay,
      }),
      group: asOption(Group, serviceUsageGroups.join(', '), {
        option: 'group <what>',
        read: readGroup,
      }),
    },
    result: UsageView,
    commands: [show],
    async run({ storage, service }, { query }) {
      const { account = null, project = null, from, to, group } = query
      await service.flush()
      const today = Math.floor(service.clock.now() / dayMs)
      const toDay = to === undefined ? today : said('to', badDay, () => dayIn(to))
      const fromDay =
        from === undefined
          ? toDay - daysUnlessReported + 1
          : said('from', badDay, () => dayIn(from))
      if (fromDay > toDay)
        throw new AdminError('input_invalid', {
          field: 'from',
          rule: 'later_than',
          fields: ['to'],
        })
      const sums = await namedUsage(storage, {
        account: account as AccountId | null,
        project: project as ProjectId | null,
        fromDay,
        toDay,
        group,
      })
      return {
        from: dayOf((fromDay * dayMs) as Ms),
        to: dayOf((toDay * dayMs) as Ms),
        group,
        total_usd: showUsd(sums.reduce((all, { cost }) => plus(all, nanoUsd(cost)), zeroUsd)),
        data: sums.map(sumView),
      }
    },
  }),
] as const
