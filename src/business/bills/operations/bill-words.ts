import type { BillUnit } from '../bill'
import type { FindingKind } from '../explain'
import type { CheckedBill } from './bill-fields'
import { counted } from '../../operations/command'

type Finding = CheckedBill['findings'][number]

const unitNames: Readonly<Record<BillUnit, string>> = {
  input: 'input tokens',
  cached_input: 'cached tokens',
  cache_write: 'tokens written to a cache',
  all_input: 'input tokens',
  output: 'output tokens',
  image: 'images',
  video_second: 'seconds of video',
  audio_second: 'seconds of sound',
  character: 'characters',
  tool: 'tool calls',
  unit: 'units',
}

/** A finding as a sentence. */
export function findingWords(finding: Finding): string {
  const { model, days, usd, requests } = finding
  const where = model === null ? '' : `${model}: `
  const named = requests.length === 0 ? '' : `: ${requests.map(({ id }) => id).join(', ')}`
  const money = usd === null || Number(usd) === 0 ? '' : ` (${signedUsd(usd)})`
  return `${where}${sentences[finding.kind](finding)}${money}, ${daysText(days)}${named}`
}

const sentences: { readonly [Kind in FindingKind]: (finding: Finding) => string } = {
  not_routed: ({ calls }) => `billed${ofCalls(calls)}, and never routed to this vendor`,
  unknown_calls: (finding) =>
    `the vendor counts ${counted(finding.calls ?? 0, 'call')} that we have no record of${unitsText(finding)}`,
  failed_billed: (finding) =>
    `the vendor bills ${finding.calls === null ? 'more' : `${counted(finding.calls, 'call')} more`}${unitsText(finding)}; ${counted(finding.suspects, 'call')} of ours failed without an answer and may be among them`,
  cut_billed: (finding) =>
    `${counted(finding.suspects, 'call')} of ours cut, failed or counted by us, and billed for more than we thought${unitsText(finding)}`,
  other_price: ({ prices }) =>
    prices.length === 0
      ? 'same units at another price'
      : `at another price: ${prices.map(priceText).join(', ')}`,
  other_units: (finding) => `the vendor counts otherwise${unitsText(finding)}`,
  calls_not_billed: (finding) =>
    `${counted(-(finding.calls ?? 0), 'call')} of ours not counted by the vendor${unitsText(finding)}`,
  missing_day: ({ calls }) =>
    `the bill has nothing of days on which we have ${counted(-(calls ?? 0), 'call')}`,
  missing_model: ({ calls }) =>
    `not in the bill, and we have ${counted(-(calls ?? 0), 'call')} of it`,
  other_day: () => 'calls that the vendor counts on another day than we',
  no_cost: () => 'billed, and we do not know what calls of it cost: set it with chapar price cost',
  charges: ({ charge }) => `charged apart from models: ${charge || 'no name'}`,
  charged_apart: () => 'our cost has its tools in it, which the bill charges apart',
  unexplained: ({ model }) =>
    model === 'all models'
      ? 'the bill tells dollars of all models together: export them by model or line item'
      : 'the bill tells too little to say why: give its usage export too',
}

const ofCalls = (calls: number | null): string =>
  calls === null || calls === 0 ? '' : ` with ${counted(calls, 'call')}`

const signedUsd = (usd: string): string => (usd.startsWith('-') ? `−$${usd.slice(1)}` : `+$${usd}`)

/** A unit by its name; one of a later release by its code. */
const nameOf = (unit: string): string =>
  (unitNames as Readonly<Record<string, string>>)[unit] ?? unit

function unitsText({ units }: Finding): string {
  const told = Object.entries(units)
  if (told.length === 0) return ''
  const parts = told.map(
    ([unit, more]) => `${Math.abs(more)} ${more < 0 ? 'fewer' : 'more'} ${nameOf(unit)}`,
  )
  return `: ${parts.join(', ')}`
}

function priceText({ unit, per, charged, ours }: Finding['prices'][number]): string {
  const name = unit === null ? 'units' : nameOf(unit)
  const many = per === 1 ? 'one' : per === 1_000_000 ? 'a million' : String(per)
  return `$${charged} for ${many} ${name}, ${ours === null ? 'and our cost card has none' : `$${ours} by our cost card`}`
}

const maxDays = 4

/** Days as a span where they follow each other. */
function daysText(days: readonly string[]): string {
  const [first = '', last = first] = [days[0], days.at(-1)]
  if (days.length === 1) return `on ${first}`
  if (days.length <= maxDays) return `on ${days.join(', ')}`
  return `on ${days.length} days from ${first} to ${last}`
}
