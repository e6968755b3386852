import type { Static } from '@sinclair/typebox'
import { cell, type CommandForm } from '../../operations/command'
import type { CallView, RefundView, RefusedView, WholeCall } from './request-view'

const refused: CommandForm<{ readonly data: readonly Static<typeof RefusedView>[] }> = {
  words: 'requests list',
  example: 'requests list --refused',
  object: 'refused_calls',
  list: {
    pages: null,
    isNewestFirst: true,
    columns: [
      'minute',
      'last',
      'count',
      'code',
      'account',
      'project',
      'key',
      'source',
      'endpoint',
      'address',
      'request',
    ],
    heading: ['LAST', 'COUNT', 'CODE', 'ACCOUNT', 'KEY', 'ENDPOINT', 'ADDRESS', 'REQUEST'],
    cells: (each) => [
      each.last,
      String(each.count),
      each.code,
      cell.some(each.account),
      cell.some(each.key),
      cell.some(each.endpoint),
      each.address,
      each.request,
    ],
  },
}

const list: CommandForm<{ readonly data: readonly Static<typeof CallView>[] }> = {
  words: 'requests list',
  about: 'list calls, newest first; a call appears a moment after its end',
  example: 'requests list --account 1 --status error --since 2h',
  body: { days: 30 },
  instead: {
    flag: '--refused',
    about: 'calls refused before money was held, one line for each key, code and minute',
    conflicts: ['model', 'status'],
    operation: 'request.refused',
    form: refused,
  },
  object: 'request',
  list: {
    pages: 'before',
    isNewestFirst: true,
    countBy: 'count',
    columns: [
      'id',
      'created',
      'account',
      'project',
      'key',
      'address',
      'endpoint',
      'model',
      'status',
      'error',
      'streamed',
      'input_tokens',
      'output_tokens',
      'cached_tokens',
      'usd',
      'refunded_usd',
      'vendor',
      'vendor_model',
      'latency_ms',
      'first_byte_ms',
    ] satisfies readonly (keyof Static<typeof CallView>)[],
    heading: [
      'CREATED',
      'ID',
      'ACCOUNT',
      'KEY',
      'ADDRESS',
      'MODEL',
      'STATUS',
      'IN',
      'OUT',
      'COST',
      'MS',
    ],
    cells: (each) => [
      each.created,
      each.id,
      String(each.account),
      String(each.key),
      each.address,
      each.model,
      each.error === null ? each.status : `${each.status} (${each.error})`,
      String(each.input_tokens),
      String(each.output_tokens),
      cell.usd(each.usd),
      cell.some(each.latency_ms),
    ],
  },
}

type OneCall = Static<typeof WholeCall>

/** Members that the customers’ own view of a call has, or that were named otherwise. */
const formerNames = (call: OneCall) => ({
  usage: {
    input_tokens: call.input_tokens,
    output_tokens: call.output_tokens,
    cached_tokens: call.cached_tokens,
    total_tokens: call.input_tokens + call.output_tokens,
    reasoning_tokens: call.reasoning_tokens,
    estimated: call.estimated,
  },
  latency_ms: call.elapsed_ms,
})

/** Names and values of one call, for people. */
const fieldsOf = (call: OneCall) => ({
  id: call.id,
  created: call.created,
  model: call.model,
  endpoint: call.endpoint,
  status: call.status,
  streamed: call.streamed,
  usage: formerNames(call).usage,
  usd: call.usd,
  refunded_usd: call.refunded_usd,
  latency_ms: call.elapsed_ms,
  first_byte_ms: call.first_byte_ms,
  error: call.error,
  account: call.account,
  project: call.project,
  key: call.key,
  address: call.address,
  vendor: call.vendor,
  vendor_model: call.vendor_model,
  vendor_cost_usd: call.vendor_cost_usd,
  vendor_cost_estimated: call.vendor_cost_estimated,
  cost_card: call.cost_card,
})

/** The receipt of a call, and what is to be said of it. */
function receiptLines({ receipt, estimated, price, vendor_counted: counted }: OneCall) {
  if (receipt === null) return []
  const lines = receipt.lines ?? []
  const rows = lines.map((line) => [
    line.meter,
    String(line.units),
    cell.usd(line.unit_price_usd),
    cell.usd(line.amount_usd),
  ])
  const { refunded_usd: refunded, charged_usd, hold_usd, card_version } = receipt
  const back = Number(refunded) > 0 ? `, $${refunded} given back` : ''
  const rule = price?.rule ?? null
  const group = price?.group ?? null
  return [
    '',
    ...(rows.length === 0 ? [] : [[['METER', 'UNITS', 'UNIT PRICE', 'AMOUNT'], ...rows]]),
    ...(estimated
      ? ['the vendor counted nothing: these units are our own count of what was delivered']
      : []),
    `$${charged_usd} charged of $${hold_usd} held${back}, card ${card_version}`,
    // Cards of earlier programs do not tell their rule: their receipts stay as they were.
    ...(rule === null
      ? []
      : [`its prices: rule${group === null ? '' : ` of group ${group}`}, ${rule}`]),
    ...(counted === null
      ? []
      : [
          `the vendor counted ${JSON.stringify(counted.units)}, which comes to $${counted.usd}: what was not charged is yours`,
        ]),
  ]
}

const show: CommandForm<OneCall> = {
  words: 'requests show',
  about: 'show one call, with the receipt of its charge',
  example: 'requests show req_…',
  params: {
    id: {
      name: 'id',
      about: 'what the answer carried as X-Request-Id',
      as: 'place',
      kind: 'text',
    },
  },
  object: 'request',
  formerNames,
  said: (call) => ({ fields: fieldsOf(call), stdout: receiptLines(call) }),
}

const refund: CommandForm<Static<typeof RefundView>> = {
  words: 'requests refund',
  about: 'give back what a call was charged, once; its customer sees it on the call',
  example: 'requests refund req_… --amount 0.02 --reason "answer was cut"',
  params: {
    id: { name: 'id', about: 'id of the call, its X-Request-Id', as: 'place', kind: 'text' },
  },
  object: 'refund',
  formerNames: ({ balance_usd }) => ({ balance: { usd: balance_usd } }),
  said: ({ request, account, refunded_usd, borne_usd, charged_usd, balance_usd }) => ({
    stdout: [
      `$${refunded_usd} of $${charged_usd} given back for ${request}`,
      ...(Number(borne_usd) > 0
        ? [`$${borne_usd} of it to the service, which bore as much of the charge`]
        : []),
      `balance of account ${account}: $${balance_usd}`,
    ],
  }),
}

/** Commands of operations on calls. */
export const requestCommands = { list, show, refund }
