import type { RefusalQuery, RefusedCalls } from '../../domain/refused-calls'
import { withStorage } from '../kit/leaf'
import { printShown, shownOf, type ListForm, type LongListOptions } from '../kit/listing'

/** Refused calls, added up by key or source, code and minute, newest first. */
export async function listRefused(options: LongListOptions, query: RefusalQuery): Promise<void> {
  const all = await withStorage(options, ({ refusals }) => refusals.list(query))
  await printShown(options, shownOf(all.map(viewOf), options), form)
}

const viewOf = ({ minute, time, ...line }: RefusedCalls) => ({
  minute: new Date(minute).toISOString(),
  last: new Date(time).toISOString(),
  ...line,
})

const form: ListForm<ReturnType<typeof viewOf>> = {
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
    String(each.account ?? '–'),
    String(each.key ?? '–'),
    each.endpoint ?? '–',
    each.address,
    each.request,
  ],
}
