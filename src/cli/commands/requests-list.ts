import { Option, type Command } from 'commander'
import { callView } from '../../admin/call-view'
import type { AccountId, KeyId, ProjectId } from '../../domain/ids'
import type { RecordedCall } from '../../domain/report'
import { leaf, read, withStorage } from '../kit/leaf'
import { limitOf, printShown, withLimit, type ListForm, type LongListOptions } from '../kit/listing'
import { listRefused } from './refused-list'
import { spanOf, withSpan, type SpanOptions } from '../kit/span'

interface RequestsOptions extends LongListOptions, SpanOptions {
  readonly account?: AccountId
  readonly project?: ProjectId
  readonly key?: KeyId
  readonly model?: string
  readonly status?: RecordedCall['status']
  readonly refused?: true
}

const statuses = ['pending', 'success', 'error', 'cancelled']

/** Past calls, newest first. */
export function requestsListCommand(requests: Command): void {
  withLimit(
    withSpan(
      leaf(
        requests,
        'list',
        'list calls, newest first; a call appears a moment after its end',
        'requests list --account 1 --status error --since 2h',
      ),
    ),
  )
    .option('--account <id>', 'only of this account', read.id<AccountId>)
    .option('--project <id>', 'only of this project', read.id<ProjectId>)
    .option('--key <id>', 'only of this key', read.id<KeyId>)
    .option('--model <id>', 'only of this model')
    .addOption(new Option('--status <word>', 'only calls with this status').choices(statuses))
    .addOption(
      new Option(
        '--refused',
        'calls refused before money was held, one line for each key, code and minute',
      ).conflicts(['model', 'status']),
    )
    .action(list)
}

async function list(options: RequestsOptions): Promise<void> {
  const { account = null, project = null, key = null, model = null, status = null } = options
  const owner = { ...spanOf(options), account, project, key }
  if (options.refused) return await listRefused(options, owner)
  const query = { ...owner, model, status }
  const most = limitOf(options)
  await withStorage(options, async ({ reports }) => {
    const found = reports.eachCall({ ...query, most })
    // A file may have millions of rows: they are not gathered.
    if (options.csv) return await printShown(options, { rows: viewsOf(found), more: 0 }, form)
    const rows = await Array.fromAsync(viewsOf(found))
    const more = rows.length < most ? 0 : (await reports.countCalls(query)) - rows.length
    return await printShown(options, { rows, more }, form)
  })
}

async function* viewsOf(calls: AsyncIterable<RecordedCall>): AsyncGenerator<CallView> {
  for await (const call of calls) yield callView(call)
}

type CallView = ReturnType<typeof callView>

const form: ListForm<CallView> = {
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
  ] satisfies readonly (keyof CallView)[],
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
    `$${each.usd}`,
    each.latency_ms === null ? '–' : String(each.latency_ms),
  ],
}
