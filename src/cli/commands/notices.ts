import type { Command } from 'commander'
import { retryNotice } from '../../admin/retry-notice'
import { systemClock } from '../../domain/clock'
import { noticeBody } from '../../notices/notice-body'
import type { DeliveryState, NoticeStore } from '../../notices/store'
import { branch, leaf, withStorage, type CommonOptions } from '../kit/leaf'
import { printJson, printLine } from '../kit/output'
import { noticesTestCommand } from './notices-test'
import { printShown, shownOf, withLimit, type ListForm, type LongListOptions } from '../kit/listing'

export function noticesCommand(program: Command): void {
  const notices = branch(program, 'notices', 'List notices about caps, balances and vendors')

  withLimit(
    leaf(
      notices,
      'list',
      'list notices and their delivery, newest first',
      'notices list --pending',
    ),
  )
    .option('--pending', 'only notices that still wait for a channel')
    .option('--failed', 'only those that some channel gave up')
    .action(async (options: LongListOptions & { pending?: true; failed?: true }) => {
      const all = (
        await withStorage(options, (storage) =>
          storage.notices.list({
            pending: options.pending === true,
            failed: options.failed === true,
            most: Number.MAX_SAFE_INTEGER,
          }),
        )
      ).map(noticeView)
      return printShown(options, shownOf(all, options), form)
    })

  leaf(
    notices,
    'retry',
    'send a notice again by the channels that gave it up',
    'notices retry ntc_…',
  )
    .argument('<id>', 'id of the notice')
    .action(async (id: string, options: CommonOptions) => {
      const channels = await withStorage(options, (storage) =>
        retryNotice(storage, id, systemClock.now()),
      )
      if (options.json) return printJson({ object: 'notice.retry', id, channels })
      printLine(`${id} is sent again by ${channels.join(', ')}`)
    })

  noticesTestCommand(notices)
}

const noticeView = ({ notice, deliveries }: Awaited<ReturnType<NoticeStore['list']>>[number]) => ({
  ...noticeBody(notice),
  deliveries: deliveries.map(deliveryView),
})

const form: ListForm<ReturnType<typeof noticeView>> = {
  columns: [
    'id',
    'created',
    'kind',
    'subject.type',
    'subject.account.id',
    'subject.project.id',
    'subject.key.id',
    'subject.vendor.name',
    'subject.vendor.credential',
    'threshold',
    'spent',
    'balance',
    'limit',
    'period',
    'deliveries',
  ],
  heading: ['CREATED', 'KIND', 'ABOUT', 'AT', 'AMOUNT', 'LIMIT', 'PERIOD', 'CHANNELS'],
  cells: (each) => [
    each.created,
    each.kind,
    about(each.subject),
    each.threshold === null ? '–' : `${each.threshold} %`,
    dollarsText(each.spent ?? each.balance),
    dollarsText(each.limit),
    each.period,
    each.deliveries.map(deliveryText).join(', '),
  ],
}

const dollarsText = (amount: string | null): string => (amount === null ? '–' : `$${amount}`)

/** With the reason where it did not arrive. */
const deliveryText = ({ channel, state, error }: ReturnType<typeof deliveryView>): string =>
  error === null ? `${channel} ${state}` : `${channel} ${state} (${error})`

const deliveryView = ({ channel, state, attempts, due, error }: DeliveryState) => {
  const time = new Date(due).toISOString()
  return {
    channel,
    state,
    attempts,
    ...(state === 'pending' ? { next_attempt: time } : { ended: time }),
    error,
  }
}

type Subject = ReturnType<typeof noticeBody>['subject']

function about({ type, key, project, account, source, vendor }: Subject): string {
  if (vendor !== undefined) return `${vendor.name} ${vendor.credential ?? ''}`.trim()
  if (source !== undefined) return `${source.model} at ${source.vendor}`
  const subject = key ?? project ?? account
  return subject === null ? type : `${type} ${subject.id} (${subject.name})`
}
