import { Option, type Command } from 'commander'
import { readConfig } from '../config'
import { systemClock } from '../domain/clock'
import { systemNoticeId } from '../domain/ids'
import { DeliveryFailed, type Channel } from '../notices/channel'
import { noticeBody } from '../notices/notice-body'
import { openChannels } from '../notices/open-channels'
import { sampleNotice } from '../notices/sample'
import type { DeliveryState } from '../notices/store'
import { openLog } from '../observability/log'
import { branch, leaf, read, withStorage, type CommonOptions } from './leaf'
import { printJson, printLine, printTable } from './output'

interface ListOptions extends CommonOptions {
  readonly pending?: true
  readonly limit: number
}

export function noticesCommand(program: Command): void {
  const notices = branch(program, 'notices', 'what was told when caps and floors were reached')

  leaf(notices, 'list', 'notices and how far they came, newest first', 'notices list --pending')
    .option('--pending', 'only those that wait for a channel')
    .addOption(new Option('--limit <n>', 'newest only').argParser(read.count).default(100))
    .action((options: ListOptions) => {
      const found = withStorage(options, (storage) =>
        storage.notices.list({ pending: options.pending === true, most: options.limit }),
      ).map(({ notice, deliveries }) => ({
        ...noticeBody(notice),
        deliveries: deliveries.map(deliveryView),
      }))
      if (options.json) return printJson({ object: 'list', data: found })
      printTable([
        ['CREATED', 'KIND', 'ABOUT', 'AT', 'AMOUNT', 'LIMIT', 'PERIOD', 'CHANNELS'],
        ...found.map((each) => [
          each.created,
          each.kind,
          about(each.subject),
          each.threshold === null ? '–' : `${each.threshold} %`,
          `$${each.spent ?? each.balance}`,
          `$${each.limit}`,
          each.period,
          each.deliveries.map(({ channel, state }) => `${channel} ${state}`).join(', '),
        ]),
      ])
    })

  leaf(
    notices,
    'test',
    'send a sample through every channel; exits 1 when one fails',
    'notices test',
  ).action(async (options: CommonOptions) => {
    const config = readConfig(process.env)
    const log = openLog(config.logLevel)
    const channels = openChannels(config.notices, { log, clock: systemClock })
    const tried = await Promise.all(channels.map(trySample))
    if (tried.some(({ error }) => error !== null)) process.exitCode = 1
    if (options.json) return printJson({ object: 'list', data: tried })
    for (const { channel, error } of tried)
      printLine(error === null ? `✓ ${channel}` : `✗ ${channel}: ${error}`)
    if (channels.length === 1)
      printLine('only the log: see CHAPAR_NOTICE_WEBHOOK and CHAPAR_NOTICE_COMMAND')
  })
}

async function trySample(channel: Channel) {
  const { name } = channel
  try {
    const sample = sampleNotice(systemNoticeId(), systemClock.now())
    await channel.deliver(sample, new AbortController().signal)
    return { channel: name, ok: true, error: null }
  } catch (thrown) {
    if (!(thrown instanceof DeliveryFailed)) throw thrown
    return { channel: name, ok: false, error: thrown.message }
  }
}

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

function about({ type, key, project, account, source }: ReturnType<typeof noticeBody>['subject']) {
  if (source !== undefined) return `${source.model} at ${source.vendor}`
  const subject = key ?? project ?? account
  return subject === null ? type : `${type} ${subject.id} (${subject.name})`
}
