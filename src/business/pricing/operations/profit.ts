import { Type, type Static } from '@sinclair/typebox'
import { dayNumber } from '../../../domain/clock'
import { profitGroups, profitOrders } from '../../../domain/reports/report'
import { AdminError } from '../../operations/admin-error'
import { profitView, readProfit } from '../profit-report'
import type { CommandForm } from '../../operations/command'
import { orNull } from '../../operations/fields'
import { asOption } from '../../operations/from-fields'
import { operation } from '../../operations/operation'
import { requestedSpan, spanFields } from '../../operations/date-range'

const Group = Type.Union(
  profitGroups.map((each) => Type.Literal(each)),
  { default: 'day' },
)
const Order = Type.Union(profitOrders.map((each) => Type.Literal(each)))

const sumFields = {
  calls: Type.Integer(),
  charged_usd: Type.String(),
  refunded_usd: Type.String(),
  vendor_cost_usd: Type.String(),
  /** Charged, without what was refunded and what vendors bill. */
  margin_usd: Type.String(),
  margin_percent: orNull(Type.String()),
  calls_without_cost: Type.Integer(),
}
const ProfitView = Type.Object({
  group: Type.Union(profitGroups.map((each) => Type.Literal(each))),
  /** Of accounts that are not shown too. */
  total: Type.Object(sumFields),
  data: Type.Array(Type.Object({ key: Type.String(), ...sumFields })),
  has_more: Type.Boolean(),
})
type Viewed = Static<typeof ProfitView>
type Sum = Viewed['total']

const names = Object.keys(sumFields) as readonly (keyof Sum)[]

const cellsOf = (key: string, sum: Sum): readonly string[] => [
  key === '' ? 'none' : key,
  ...names.map((name) => (sum[name] === null ? '' : String(sum[name]))),
]

const show: CommandForm<Viewed> = {
  words: 'profit',
  about: 'Show what was charged, what it cost and what is left, by whole days (UTC)',
  example: 'profit --since 30d --group account --sort margin',
  object: 'profit',
  file: ({ group, data }) => [
    [group, ...names],
    ...data.map(({ key, ...sum }) => cellsOf(key, sum)),
  ],
  fileQuery: { whole: 'true' },
  said: ({ group, total, data, has_more }) => ({
    stdout: [
      [
        [
          group.toUpperCase(),
          'CALLS',
          'CHARGED',
          'REFUNDED',
          'VENDOR COST',
          'MARGIN',
          'MARGIN %',
          'WITHOUT COST',
        ],
        ...[...data, { key: 'all', ...total }].map(({ key, ...sum }) =>
          cellsOf(key, sum).map((each) => each || '–'),
        ),
      ],
      ...(has_more ? [`… more accounts: --limit ${2 * data.length}, or --csv for all`] : []),
    ],
  }),
}

const accountsUnlessReported = 100

export const profitOperations = [
  operation({
    name: 'profit.get',
    method: 'GET',
    path: '/profit',
    role: 'viewer',
    about: 'What was charged, what it cost and what is left, by whole days (UTC)',
    query: {
      ...spanFields,
      group: asOption(Group, 'one line for each', {
        kind: 'choice',
        option: 'group <what>',
        choices: profitGroups,
      }),
      limit: asOption(
        Type.Optional(Type.Integer({ minimum: 1 })),
        'accounts: show only the first (default: 100; all with --csv)',
        { option: 'limit <n>' },
      ),
      sort: asOption(Type.Optional(Order), 'most of it first (default: charged)', {
        kind: 'choice',
        option: 'sort <by>',
        choices: profitOrders,
      }),
      /** All accounts, where no `limit` is told. */
      whole: Type.Optional(Type.Boolean()),
    },
    result: ProfitView,
    commands: [show],
    async run({ storage, service }, { query }) {
      const { group, limit, sort, whole = false } = query
      if (group !== 'account' && (limit ?? sort) !== undefined)
        throw new AdminError('input_invalid', {
          field: limit === undefined ? 'sort' : 'limit',
          rule: 'not_beside',
          fields: ['group'],
        })
      await service.flush()
      const { from, to } = requestedSpan(query, service.clock.now())
      const { sums, total, hasMore } = await readProfit(storage.profits, {
        fromDay: dayNumber(from),
        toDay: dayNumber(to - 1),
        group,
        order: sort ?? 'charged',
        max: limit ?? (whole ? null : accountsUnlessReported),
      })
      return {
        group,
        total: profitView(total),
        data: sums.map((sum) => ({ key: sum.key, ...profitView(sum) })),
        has_more: hasMore,
      }
    },
  }),
] as const
