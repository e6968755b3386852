import type { Command } from 'commander'
import { readConfig } from '../../app/config'
import { systemClock, systemMonotonic, ticksAfter } from '../../domain/clock'
import { systemNoticeId } from '../../domain/ids'
import { DeliveryFailed, type Channel } from '../../notices/channel'
import { openChannels } from '../../notices/open-channels'
import { sampleNotice } from '../../notices/sample'
import type { DeliveryState } from '../../notices/store'
import { openLog } from '../../observability/log'
import { getJson } from '../../outbound/get-json'
import { servedChannels } from './configured-service'
import { leaf, withStorage, type CommonOptions } from '../kit/leaf'
import { printJson, printLine } from '../kit/output'
import { servingUrl } from './reach'

/** How a channel took the sample. */
interface Tried {
  readonly channel: string
  readonly ok: boolean
  readonly error: string | null
}

/** `notices test`: by the channels of the gateway that serves, else by those of this shell. */
export function noticesTestCommand(notices: Command): void {
  leaf(
    notices,
    'test',
    'send a sample through every channel of the gateway that serves; exits 1 when one fails',
    'notices test',
  ).action(async (options: CommonOptions) => {
    const url = servingUrl(options.data)
    const served = await servedChannels(options)
    const tried =
      url === null || served === null ? await tryHere() : await tryServed(options, url, served)
    if (tried.some(({ ok }) => !ok)) process.exitCode = 1
    if (options.json) return printJson({ object: 'list', data: tried })
    for (const { channel, error } of tried)
      printLine(error === null ? `✓ ${channel}` : `✗ ${channel}: ${error}`)
    if (tried.length === 1)
      printLine('only the log: see CHAPAR_NOTICE_WEBHOOK and CHAPAR_NOTICE_COMMAND')
  })
}

function tryHere(): Promise<readonly Tried[]> {
  const config = readConfig(process.env)
  const log = openLog(config.logLevel)
  return Promise.all(openChannels(config.notices, { log, clock: systemClock }).map(trySample))
}

async function trySample(channel: Channel): Promise<Tried> {
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

const maxMs = 60_000
const lookMs = 50
const askMs = 5000
/** The sample is among these, whatever else is told meanwhile. */
const newest = 20

/** Has the gateway send the sample: it alone knows the webhook's secret. */
function tryServed(
  options: CommonOptions,
  url: string,
  { webhook, command }: { readonly webhook: string | null; readonly command: string | null },
): Promise<readonly Tried[]> {
  const channels = ['log', ...(webhook ? ['webhook'] : []), ...(command ? ['command'] : [])]
  const notice = sampleNotice(systemNoticeId(), systemClock.now())
  return withStorage(options, async ({ notices }) => {
    await notices.putSample({ notice, channels })
    try {
      const until = ticksAfter(systemMonotonic.ticks(), maxMs)
      for (;;) {
        // It looks for what commands have written when somebody asks it anything.
        await getJson(`${url}/healthz`, new Headers(), askMs)
        const sent = (await notices.list({ pending: false, most: newest })).find(
          (each) => each.notice.id === notice.id,
        )
        const tried = channels.map((channel) => triedOf(channel, sent?.deliveries ?? []))
        if (tried.every(isOver) || systemMonotonic.ticks() > until) return tried
        await Bun.sleep(lookMs)
      }
    } finally {
      await notices.removeSamples()
    }
  })
}

const untried = 'the gateway has not tried it in time'

const isOver = ({ error }: Tried): boolean => error !== untried

function triedOf(channel: string, deliveries: readonly DeliveryState[]): Tried {
  const delivery = deliveries.find((each) => each.channel === channel)
  const ok = delivery?.state === 'delivered'
  return { channel, ok, error: ok ? null : (delivery?.error ?? untried) }
}
