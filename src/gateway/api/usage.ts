import { Type } from '@sinclair/typebox'
import { answerAuthenticated } from '../call/authenticated'
import { ReadRefused } from '../../domain/reports/account-reader'
import type { Caller } from '../../domain/caller'
import { dayMs, dayOf, type Ms } from '../../domain/clock'
import { nanoUsd, plus, showUsd, zeroUsd } from '../../domain/money'
import { GatewayError } from '../../errors/gateway-error'
import { invalid } from '../formats/schema-fault'
import type { Inbound } from '../http/inbound'
import { readQuery } from './query'
import { keyedErrors, keyedHeaders, type RouteDoc } from './reference/doc'
import { UsageReply } from './reference/schemas'
import type { ApiRoute, RouteParts } from './route'

const daysUnlessReported = 30
const maxDays = 366

const query = Type.Object({
  from: Type.Optional(Type.String({ format: 'date', description: 'the first day' })),
  to: Type.Optional(Type.String({ format: 'date', description: 'the last day' })),
  group: Type.Optional(
    Type.Union([Type.Literal('day'), Type.Literal('model')], {
      description: '`day` unless told',
    }),
  ),
})

const doc: RouteDoc = {
  group: 'Account',
  summary: 'What the project used, by day or by model.',
  description: `Days are of UTC, both included; at most ${maxDays} of them, ${daysUnlessReported} unless told.`,
  keyed: true,
  query,
  answers: [
    {
      status: 200,
      description: 'The sums.',
      headers: keyedHeaders,
      content: { 'application/json': { schema: UsageReply } },
    },
  ],
  errors: [...keyedErrors, 'invalid_field'],
}

/** Usage of the key's project, by day or by model. Up to the call that ended last. */
export const usage: ApiRoute = {
  method: 'GET',
  path: '/v1/usage',
  doc,
  serve: (parts, inbound) =>
    answerAuthenticated(parts, inbound, (caller) => reportOf(parts, caller, inbound)),
}

/** @throws invalid_field for dates that are none, more than 366 days, or what `readQuery` refuses */
async function reportOf(
  { ledger, reader, clock }: RouteParts,
  { project }: Caller,
  inbound: Inbound,
) {
  const { from, to, group = 'day' } = readQuery(inbound, query)
  const toDay = readDay('to', to) ?? Math.floor(clock.now() / dayMs)
  const fromDay = readDay('from', from) ?? toDay - daysUnlessReported + 1
  if (fromDay > toDay) throw invalid('from', 'a day that is not after `to`')
  if (toDay - fromDay >= maxDays) throw invalid('from', `at most ${maxDays} days before \`to\``)

  await ledger.flush()
  const sums = await read(() => reader.projectUsage({ project: project.id, fromDay, toDay, group }))
  const total = sums.reduce((all, { cost }) => plus(all, nanoUsd(cost)), zeroUsd)
  return {
    object: 'usage',
    from: showDay(fromDay),
    to: showDay(toDay),
    group,
    total_usd: showUsd(total),
    data: sums.map(({ key, requests, errors, inputTokens, outputTokens, cost }) => ({
      key,
      requests,
      errors,
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      usd: showUsd(cost),
    })),
  }
}

/** @throws gateway_error where others read already, or it would last */
async function read<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof ReadRefused) throw new GatewayError('gateway_error', {})
    throw thrown
  }
}

const showDay = (day: number): string => dayOf((day * dayMs) as Ms)

/** Days since 1970; null when nothing was asked. */
function readDay(name: string, text: string | undefined): number | null {
  if (text === undefined) return null
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  // Some engines take a 31st of any month.
  if (!(time >= 0) || showDay(time / dayMs) !== text) throw invalid(name, 'YYYY-MM-DD')
  return time / dayMs
}
