import type { Decimal } from 'decimal.js'
import { dayMs, dayOf, type Ms } from '../../domain/clock'
import type { VendorConfig } from '../../domain/model'
import { fieldsOf, isText, listOf, type Fields } from '../../gateway/json/fields'
import { Exact } from '../../gateway/metering/price-card'
import { anthropicUnit } from './anthropic'
import { allModels, type BillCollector, type BillUnits } from './bill'
import { checkCurrency } from './cells'
import { BillFault, quoted } from './fault'
import { costLine, openaiUnits } from './openai'
import { openrouterUnits } from './openrouter'
import { reportPages, type Reporter, type ReportParts } from './report-pages'

/** Time of a report, whole UTC days. */
interface ReportSpan {
  readonly from: Ms
  readonly to: Ms
  readonly now: Ms
}

/** A vendor that tells its bill by an API. */
interface VendorReport extends Reporter {
  collect(parts: ReportParts, span: ReportSpan, collector: BillCollector): Promise<void>
}

/** A count of a result; an odd one is none. */
const countOf = (result: Fields, member: string): number | undefined => {
  const value = result[member]
  return typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : undefined
}

const modelOf = ({ model }: Fields): string => (isText(model) ? model : allModels)

/** A decimal as JSON has it: a number, or a string that keeps every digit. */
function dollars(title: string, value: unknown): Decimal {
  const text = typeof value === 'number' ? String(value) : isText(value) ? value : ''
  if (!/^-?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i.test(text))
    throw new BillFault('odd_report', `${title} tells an amount that is none: ${quoted(text)}`)
  return new Exact(text)
}

/** Kinds of usage that OpenAI reports apart, each with its models. */
const openaiUsage = [
  'completions',
  'embeddings',
  'moderations',
  'images',
  'audio_speeches',
  'audio_transcriptions',
] as const

/** API reference "Usage" and "Costs", as typed by the official client `openai` 7.55.0. */
const openai: VendorReport = {
  title: 'OpenAI',
  keyHint:
    'an admin key of the organization: https://platform.openai.com/settings/organization/admin-keys',
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  async collect(parts, { from, to }, collector) {
    collector.begin('OpenAI usage and costs', 'UTC')
    const span = {
      start_time: String(from / 1000),
      end_time: String(to / 1000),
      bucket_width: '1d',
      limit: '31',
    }
    for (const kind of openaiUsage)
      for await (const buckets of reportPages(openai, parts, `/organization/usage/${kind}`, {
        ...span,
        'group_by[]': 'model',
      }))
        eachResult(openai.title, buckets, 'start_time', (day, result) =>
          collector.add({
            day,
            model: modelOf(result),
            calls: countOf(result, 'num_model_requests') ?? 0,
            units: openaiUnits((member) => countOf(result, member)),
          }),
        )
    for await (const buckets of reportPages(openai, parts, '/organization/costs', {
      ...span,
      'group_by[]': 'line_item',
    }))
      eachResult(openai.title, buckets, 'start_time', (day, { amount, line_item: item }) => {
        const { value, currency } = fieldsOf(amount)
        if (value === undefined || value === null) return
        checkCurrency(isText(currency) ? currency : '')
        collector.add(costLine(day, isText(item) ? item : '', dollars(openai.title, value)))
      })
  },
}

/** Admin API, "Get Messages Usage Report" and "Get Cost Report", platform.claude.com (2026-11-23). */
const anthropic: VendorReport = {
  title: 'Anthropic',
  keyHint:
    'an admin key (sk-ant-admin…) of the organization: https://platform.claude.com/settings/admin-keys',
  headers: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  async collect(parts, { from, to }, collector) {
    collector.begin('Anthropic usage and cost report', 'UTC')
    const span = {
      starting_at: timeOf(from),
      ending_at: timeOf(to),
      bucket_width: '1d',
      limit: '31',
    }
    const usage = reportPages(anthropic, parts, '/organizations/usage_report/messages', {
      ...span,
      'group_by[]': 'model',
    })
    for await (const buckets of usage)
      eachResult(anthropic.title, buckets, 'starting_at', (day, result) =>
        collector.add({ day, model: modelOf(result), units: anthropicUnits(result) }),
      )
    const costs = reportPages(anthropic, parts, '/organizations/cost_report', {
      ...span,
      'group_by[]': 'description',
    })
    for await (const buckets of costs)
      eachResult(anthropic.title, buckets, 'starting_at', (day, result) => {
        const { currency, amount, model, token_type: type, description, cost_type: kind } = result
        checkCurrency(isText(currency) ? currency : '')
        // Told in cents.
        const usd = dollars(anthropic.title, amount).div(100)
        const named = [description, kind].find(isText) ?? 'of no model'
        collector.add(
          isText(model)
            ? { day, model, usd, usdFor: isText(type) ? anthropicUnit(type) : undefined }
            : { day, model: null, charge: named, usd },
        )
      })
  },
}

function anthropicUnits(result: Fields): BillUnits {
  const written = fieldsOf(result['cache_creation'])
  return {
    input: countOf(result, 'uncached_input_tokens') ?? 0,
    cached_input: countOf(result, 'cache_read_input_tokens') ?? 0,
    cache_write:
      (countOf(written, 'ephemeral_5m_input_tokens') ?? 0) +
      (countOf(written, 'ephemeral_1h_input_tokens') ?? 0),
    output: countOf(result, 'output_tokens') ?? 0,
    tool: countOf(fieldsOf(result['server_tool_use']), 'web_search_requests') ?? 0,
  }
}

const timeOf = (time: Ms): string => new Date(time).toISOString().replace('.000Z', 'Z')

/** Completed days that OpenRouter keeps. */
const openrouterDays = 30

/** "Get user activity grouped by endpoint", openrouter.ai/docs (2026-11-23). */
const openrouter: VendorReport = {
  title: 'OpenRouter',
  keyHint: 'a management key: https://openrouter.ai/settings/management-keys',
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  async collect(parts, { from, to, now }, collector) {
    const since = (Math.floor(now / dayMs) * dayMs - openrouterDays * dayMs) as Ms
    if (to <= since)
      throw new BillFault(
        'no_report',
        'OpenRouter tells the last 30 days only: export earlier ones from https://openrouter.ai/activity, and give them with --file',
      )
    collector.begin('OpenRouter activity', 'UTC')
    if (since > from) collector.coverFrom(dayOf(since))
    for await (const results of reportPages(openrouter, parts, '/activity', {}))
      for (const result of results) {
        const { date, model_permaslug: slug, usage } = result
        if (!isText(date) || !/^\d{4}-\d{2}-\d{2}/.test(date))
          throw new BillFault('odd_report', 'OpenRouter tells an activity of no day')
        collector.add({
          day: date.slice(0, 10),
          model: isText(slug) ? slug : modelOf(result),
          calls: countOf(result, 'requests') ?? 0,
          units: openrouterUnits(
            countOf(result, 'prompt_tokens') ?? 0,
            countOf(result, 'completion_tokens') ?? 0,
            null,
          ),
          usd: dollars(openrouter.title, usage),
        })
      }
  },
}

/** Results of buckets, each with its UTC day. @throws BillFault odd_report */
function eachResult(
  title: string,
  buckets: readonly Fields[],
  start: string,
  take: (day: string, result: Fields) => void,
): void {
  for (const bucket of buckets) {
    const told = bucket[start]
    const time =
      typeof told === 'number' ? told * 1000 : isText(told) ? Date.parse(told) : Number.NaN
    if (!Number.isFinite(time) || Math.abs(time) > 8e15 || !Array.isArray(bucket['results']))
      throw new BillFault(
        'odd_report',
        `${title} answered with no report that is known: a bucket has no time or no results`,
      )
    for (const result of listOf(bucket['results'])) take(dayOf(time as Ms), fieldsOf(result))
  }
}

/** The report of a vendor; null where it has none that a key opens. */
export function reportOf({
  kind,
  dialect,
}: Pick<VendorConfig, 'kind' | 'dialect'>): VendorReport | null {
  if (kind === 'anthropic') return dialect === 'anthropic' ? anthropic : null
  if (kind !== 'openai') return null
  return dialect === 'openai' ? openai : dialect === 'openrouter' ? openrouter : null
}
