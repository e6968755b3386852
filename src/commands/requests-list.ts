import { Option, type Command } from 'commander'
import type { AccountId, KeyId, ProjectId } from '../domain/ids'
import { showUsd } from '../domain/money'
import type { RecordedCall } from '../domain/report'
import { csvLine } from './csv'
import { leaf, read, withStorage, type CommonOptions } from './leaf'
import { printJson, printLine, printTable } from './output'
import { spanOf, withSpan, type SpanOptions } from './span'

interface ListOptions extends CommonOptions, SpanOptions {
  readonly account?: AccountId
  readonly project?: ProjectId
  readonly key?: KeyId
  readonly model?: string
  readonly status?: RecordedCall['status']
  readonly limit: number
  readonly csv?: true
}

const statuses = ['pending', 'success', 'error', 'cancelled']

/** Calls of the past, newest first. */
export function requestsListCommand(requests: Command): void {
  withSpan(
    leaf(
      requests,
      'list',
      'calls, newest first; written a moment after they end',
      'requests list --account 1 --status error --since 2h',
    ),
  )
    .option('--account <id>', 'of this account alone', read.id<AccountId>)
    .option('--project <id>', 'of this project alone', read.id<ProjectId>)
    .option('--key <id>', 'of this key alone', read.id<KeyId>)
    .option('--model <id>', 'of this model alone')
    .addOption(new Option('--status <word>', 'that ended, or not, so').choices(statuses))
    .addOption(new Option('--limit <n>', 'newest only').argParser(read.count).default(100))
    .addOption(new Option('--csv', 'print comma-separated values').conflicts('json'))
    .action((options: ListOptions) => {
      const { account = null, project = null, key = null, model = null, status = null } = options
      const asked = { account, project, key, model, status, most: options.limit }
      const found = withStorage(options, ({ reports }) =>
        reports.calls({ ...spanOf(options), ...asked }),
      ).map(callView)
      if (options.json) return printJson({ object: 'list', data: found })
      if (options.csv) {
        for (const row of [columns, ...found.map((each) => columns.map((name) => each[name]))])
          printLine(csvLine(row))
        return
      }
      printTable([
        ['CREATED', 'ID', 'ACCOUNT', 'KEY', 'MODEL', 'STATUS', 'IN', 'OUT', 'COST', 'MS'],
        ...found.map((each) => [
          each.created,
          each.id,
          String(each.account),
          String(each.key),
          each.model,
          each.error === null ? each.status : `${each.status} (${each.error})`,
          String(each.input_tokens),
          String(each.output_tokens),
          `$${each.usd}`,
          each.latency_ms === null ? '–' : String(each.latency_ms),
        ]),
      ])
    })
}

const callView = (call: RecordedCall) => ({
  id: call.id,
  created: new Date(call.created).toISOString(),
  account: call.account,
  project: call.project,
  key: call.key,
  endpoint: call.endpoint,
  model: call.model,
  status: call.status,
  error: call.error,
  streamed: call.streamed,
  input_tokens: call.inputTokens,
  output_tokens: call.outputTokens,
  cached_tokens: call.cachedTokens,
  usd: showUsd(call.cost),
  refunded_usd: showUsd(call.refunded),
  vendor: call.vendor,
  vendor_model: call.vendorModel,
  latency_ms: call.latencyMs,
  first_byte_ms: call.firstByteMs,
})

const columns = [
  'id',
  'created',
  'account',
  'project',
  'key',
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
] as const satisfies readonly (keyof ReturnType<typeof callView>)[]
