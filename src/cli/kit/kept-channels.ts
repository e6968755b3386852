import { trySample, type TriedChannel } from '../../business/operations/try-channels'
import { readConfig } from '../../server/config'
import { systemClock } from '../../domain/clock'
import { systemNoticeId } from '../../domain/ids'
import { DeliveryFailed, type Channel } from '../../business/notices/channel'
import { openChannels } from '../../business/notices/open-channels'
import { sampleNotice } from '../../business/notices/sample'
import { openLog } from '../../gateway/observability/log'
import { getJson } from '../../gateway/outbound/get-json'
import type { Storage } from '../../business/data/storage'
import { servedChannels } from '../local/configured-service'
import { servingUrl } from '../../server/serving-note'

const maxAnswerMs = 5000

/** Tries the channels of the gateway that serves a folder, else those of this shell. */
export async function tryChannelsOf(
  storage: Storage,
  folder: string,
): Promise<readonly TriedChannel[]> {
  const url = servingUrl(folder)
  const served = await servedChannels(storage, folder)
  if (url === null || served === null) return await tryHere()
  const { webhook, command } = served
  return await trySample({
    notices: storage.notices,
    channels: ['log', ...(webhook ? ['webhook'] : []), ...(command ? ['command'] : [])],
    now: systemClock.now(),
    // It alone knows the webhook's secret, and reads what commands have written when it answers.
    wake: () => getJson(`${url}/healthz`, new Headers(), maxAnswerMs),
  })
}

function tryHere(): Promise<readonly TriedChannel[]> {
  const config = readConfig(process.env)
  const log = openLog(config.logLevel)
  return Promise.all(openChannels(config.notices, { log, clock: systemClock }).map(tryChannel))
}

async function tryChannel(channel: Channel): Promise<TriedChannel> {
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
